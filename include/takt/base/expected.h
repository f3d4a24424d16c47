// A value or an error.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>
#include <variant>
#if __has_include(<expected>)
#include <expected>
#endif

namespace takt {

// The error alternative of an Expected: `return takt::Unexpected(error);`.
template <class E>
struct Unexpected {
  E error;
};
template <class E>
Unexpected(E) -> Unexpected<E>;

// Stands in for C++23's std::expected in interfaces that also compile as C++20. The type is the same in both.
template <class T, class E>
class [[nodiscard]] Expected {
  using State = std::variant<T, E>;

 public:
  template <class U>
    requires(std::convertible_to<U, T> && !std::same_as<std::remove_cvref_t<U>, Expected>)
  Expected(U&& value)
      : state_(std::in_place_index<0>, std::forward<U>(value)) {}  // NOLINT: implicit, as in std::expected
  template <class G>
    requires std::convertible_to<G, E>
  Expected(Unexpected<G> why)  // NOLINT: implicit, as in std::expected
      : state_(std::in_place_index<1>, std::move(why.error)) {}
#if defined(__cpp_lib_expected)
  template <class G>
    requires std::convertible_to<G, E>
  Expected(std::unexpected<G> why)  // NOLINT: implicit, as in std::expected
      : state_(std::in_place_index<1>, std::move(why).error()) {}
  template <class U, class G>
    requires(std::convertible_to<U, T> && std::convertible_to<G, E>)
  Expected(std::expected<U, G> other)  // NOLINT: implicit, as in std::expected
      : state_(other ? State(std::in_place_index<0>, std::move(*other))
                     : State(std::in_place_index<1>, std::move(other).error())) {}
#endif

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }
  // Precondition: has_value().
  T& operator*() { return *std::get_if<0>(&state_); }
  const T& operator*() const { return *std::get_if<0>(&state_); }
  T* operator->() { return std::get_if<0>(&state_); }
  const T* operator->() const { return std::get_if<0>(&state_); }
  // Precondition: !has_value().
  E& error() { return *std::get_if<1>(&state_); }
  const E& error() const { return *std::get_if<1>(&state_); }

  // Throws std::bad_variant_access if there is no value.
  T& value() & { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }

  friend bool operator==(const Expected& one, const T& value)
    requires std::equality_comparable<T>
  {
    return one && *one == value;
  }

 private:
  State state_;
};

}  // namespace takt
