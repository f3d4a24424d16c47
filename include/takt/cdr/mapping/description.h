// What generated types tell about themselves: names, for output and TypeCodes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <takt/cdr/codec.h>

namespace takt::cdr {

template <std::size_t N>
struct Description {
  std::string_view id;                      // the repository id
  std::string_view scoped;                  // as in M::S
  std::array<std::string_view, N> members;  // a struct's members without its base's; an enum's enumerators

  constexpr std::string_view name() const {
    const auto colon = scoped.rfind(':');
    return colon == std::string_view::npos ? scoped : scoped.substr(colon + 1);
  }
};

// Classes have it as their member `_description`; an enum's is in EnumSize<E>, beside the number of its
// enumerators.
template <class T>
concept DescribedEnum = requires { EnumSize<T>::description; };
template <class T>
concept DescribedStruct = HasFields<T> && requires { T::_description; };

// An enumerator as people read it, in two parts: M:: and red. Empty for a value that the enum does not have.
struct EnumeratorName {
  std::string_view scope, enumerator;
  constexpr bool empty() const { return enumerator.empty(); }
};
template <DescribedEnum E>
constexpr EnumeratorName enumerator_name(E value) {
  const auto& description = EnumSize<E>::description;
  const auto ordinal = static_cast<std::uint64_t>(value);
  if (ordinal >= description.members.size()) return {};
  return {description.scoped, description.members[static_cast<std::size_t>(ordinal)]};
}

// Whether all members are equal, base classes' too; what generated classes compare with.
template <class T>
bool equal(const T& a, const T& b) {
  if constexpr (HasFields<T>) {
    return T::_fields(a, [&](const auto&... left) {
      return T::_fields(b, [&](const auto&... right) { return ((left == right) && ...); });
    });
  } else {
    return a._equals(b);
  }
}

// The part of `self` that its base class is, const if `self` is. For _fields of derived structs.
template <class Base, class Self>
constexpr auto& base_part(Self& self) {
  if constexpr (std::is_const_v<Self>)
    return static_cast<const Base&>(self);
  else
    return static_cast<Base&>(self);
}

}  // namespace takt::cdr
