// Names of generated types, for output and TypeCodes.
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
  std::string_view scoped;                  // for example M::S
  std::array<std::string_view, N> members;  // a struct's own members; an enum's enumerators

  constexpr std::string_view name() const {
    const auto colon = scoped.rfind(':');
    return colon == std::string_view::npos ? scoped : scoped.substr(colon + 1);
  }
};

// Classes have it as their member `_description`; for an enum it is in EnumSize<E>, next to the number of
// enumerators.
template <class T>
concept DescribedEnum = requires { EnumSize<T>::description; };
template <class T>
concept DescribedStruct = HasFields<T> && requires { T::_description; };

// An enumerator's name in two parts, for example M:: and red. Empty if the enum has no such value.
struct EnumeratorName {
  std::string_view scope, enumerator;
  constexpr bool empty() const { return enumerator.empty(); }
};
template <DescribedEnum E>
constexpr EnumeratorName enumerator_name(E value) {
  const auto& description = EnumSize<E>::description;
  const std::uint32_t place = place_of_enumerator<E>(static_cast<std::uint32_t>(value));
  if (place >= description.members.size()) return {};
  return {description.scoped, description.members[place]};
}

// Whether all members are equal, including those of base classes. Generated classes compare with it.
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

// The base class part of `self`, const if `self` is. For _fields of derived structs.
template <class Base, class Self>
constexpr auto& base_part(Self& self) {
  if constexpr (std::is_const_v<Self>)
    return static_cast<const Base&>(self);
  else
    return static_cast<Base&>(self);
}

}  // namespace takt::cdr
