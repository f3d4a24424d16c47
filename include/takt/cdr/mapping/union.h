// IDL unions: a discriminator, and the member that it selects.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include <takt/cdr/codec.h>
#include <takt/cdr/exception.h>
#include <takt/cdr/mapping/output.h>

namespace takt::cdr {

// The arm that a label selects.
template <class D>
struct UnionLabel {
  D value;
  std::size_t arm;
};
template <class D, std::size_t N>
using UnionLabels = std::array<UnionLabel<D>, N>;

namespace detail {
template <class U>
inline constexpr auto sorted_labels = [] {
  auto labels = U::_labels;
  std::sort(labels.begin(), labels.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
  return labels;
}();
}  // namespace detail

// Base of the generated union U, which has
//   static constexpr UnionLabels<D, N> _labels;
//   static constexpr std::size_t _default_arm;   // sizeof...(M), which is no arm, if there is no default
template <class U, class D, class... M>
class Union {
 public:
  using _discriminator_type = D;
  using _member_types = std::tuple<M...>;

  // The arm that a discriminator selects.
  static constexpr std::size_t _arm(D discriminator) {
    if constexpr (U::_labels.size() > 8) {
      const auto& labels = detail::sorted_labels<U>;
      const auto found = std::lower_bound(labels.begin(), labels.end(), discriminator,
                                          [](const auto& label, D wanted) { return label.value < wanted; });
      return found != labels.end() && found->value == discriminator ? found->arm : U::_default_arm;
    } else {
      for (const auto& label : U::_labels)
        if (label.value == discriminator) return label.arm;
      return U::_default_arm;
    }
  }

  D _d() const { return discriminator_; }
  // Sets another label of the active arm. Throws BAD_PARAM minor 34 for a label of another arm.
  void _d(D discriminator) {
    check(_arm(discriminator) == arm());
    discriminator_ = discriminator;
  }

  bool _equals(const Union& other) const {
    return discriminator_ == other.discriminator_ && value_ == other.value_;
  }

  // For Codec and output: visits the active member, if any.
  template <class Visitor>
  void _visit(Visitor&& visit) const {
    visit_from<0>(*this, visit);
  }
  template <class Visitor>
  void _visit(Visitor&& visit) {
    visit_from<0>(*this, visit);
  }
  // Activates the arm of `discriminator`, keeping the value if it is active already.
  void _select(D discriminator) {
    const std::size_t wanted = _arm(discriminator);
    if (wanted != arm()) emplace_from<0>(wanted);
    discriminator_ = discriminator;
  }

  template <class Out>
  void _write_to(Out& out) const {
    out << U::_description.scoped << " {";
    _visit([&](const auto& member, std::size_t arm) {
      out << U::_description.members[arm] << '=';
      IDL::write(out, member);
    });
    out << '}';
  }

 protected:
  using _base = Union;
  explicit Union(D discriminator) : discriminator_(discriminator) { emplace_from<0>(_arm(discriminator)); }

  template <std::size_t I>
  const auto& get() const {
    check(arm() == I);
    return std::get<I>(value_);
  }
  template <std::size_t I>
  auto& get() {
    check(arm() == I);
    return std::get<I>(value_);
  }
  template <std::size_t I, class T>
  void set(D discriminator, T&& value) {
    check(_arm(discriminator) == I);
    // Made first: `value` may be a part of the arm that is destroyed, and making it may throw.
    std::variant_alternative_t<I, decltype(value_)> made(std::forward<T>(value));
    value_.template emplace<I>(std::move(made));
    discriminator_ = discriminator;
  }
  void set_none(D discriminator) {
    value_.template emplace<sizeof...(M)>();
    discriminator_ = discriminator;
  }

 private:
  std::size_t arm() const { return value_.index(); }
  static void check(bool right) {
    if (!right) [[unlikely]]
      throw CORBA::BAD_PARAM(CORBA::omg_minor(34), CORBA::COMPLETED_NO,
                             "the union's discriminator selects another member");
  }
  template <std::size_t I, class Self, class Visitor>
  static void visit_from(Self& self, Visitor& visit) {
    if constexpr (I < sizeof...(M)) {
      if (self.value_.index() == I)
        visit(*std::get_if<I>(&self.value_), I);
      else
        visit_from<I + 1>(self, visit);
    }
  }
  template <std::size_t I>
  void emplace_from(std::size_t wanted) {
    if constexpr (I < sizeof...(M)) {
      if (wanted != I) return emplace_from<I + 1>(wanted);
    }
    value_.template emplace<I>();
  }

  D discriminator_;
  std::variant<M..., std::monostate> value_;
};

template <class T>
concept IsUnion = requires(T& value) {
  typename T::_discriminator_type;
  value._select(value._d());
};

template <IsUnion T>
struct Codec<T> {
  using D = typename T::_discriminator_type;
  static constexpr std::size_t min_size = Codec<D>::min_size;

  static void write(Encoder& encoder, const T& value) {
    Codec<D>::write(encoder, value._d());
    value._visit([&](const auto& member, std::size_t) { cdr::write(encoder, member); });
  }
  static bool read(Decoder& decoder, T& value) {
    D discriminator{};
    if (!Codec<D>::read(decoder, discriminator)) return false;
    value._select(discriminator);
    value._visit([&](auto& member, std::size_t) { cdr::read(decoder, member); });
    return decoder.ok();
  }
};

}  // namespace takt::cdr
