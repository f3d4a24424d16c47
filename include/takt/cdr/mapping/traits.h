// IDL::traits of types without a header of their own (IDL to C++11 mapping, 6.x).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include <takt/cdr/mapping/output.h>

namespace IDL {

namespace detail {
template <class T, class In = const T&>
struct common_traits {
  using value_type = T;
  using in_type = In;
  using out_type = T&;
  using inout_type = T&;

  // Use: std::cout << IDL::traits<T>::write(value), or write<Formatter>(value) for another layout.
  template <class Formatter = void>
  static Written<T, Formatter> write(const T& value) {
    return {value};
  }
  template <class Out>
  static Out& write_on(Out& out, const T& value) {
    return IDL::write(out, value);
  }
  template <class Out, class Formatter>
  static Out& write_on(Out& out, const T& value, Formatter formatter) {
    detail::apply(formatter, out, value);
    return out;
  }
};
}  // namespace detail

// Structs, unions, exceptions and all other types passed by reference.
template <class T>
struct traits : detail::common_traits<T> {};

template <class T>
  requires std::is_arithmetic_v<T>
struct traits<T> : detail::common_traits<T, T> {};

template <class T>
  requires std::is_enum_v<T>
struct traits<T> : detail::common_traits<T, T> {
  using underlying_type = std::underlying_type_t<T>;
  using bit_bound = std::integral_constant<std::uint8_t, 8 * sizeof(T)>;
};

// Bit sets and bit masks.
template <class T>
  requires requires { typename T::_passed_by_value; }
struct traits<T> : detail::common_traits<T, T> {
  using underlying_type = typename T::_underlying_type;
  using bit_bound = std::integral_constant<std::uint8_t, T::_bit_bound>;
};

template <class C>
struct traits<std::basic_string<C>> : detail::common_traits<std::basic_string<C>> {
  using element_traits = traits<C>;
  using is_bounded = std::false_type;
};

template <class T>
struct traits<std::vector<T>> : detail::common_traits<std::vector<T>> {
  using element_traits = traits<T>;
  using is_bounded = std::false_type;
};

namespace detail {
template <class T>
struct ArrayElement {
  using type = T;
  static constexpr std::uint32_t dimensions = 0;
};
template <class T, std::size_t N>
struct ArrayElement<std::array<T, N>> {
  using type = typename ArrayElement<T>::type;
  static constexpr std::uint32_t dimensions = 1 + ArrayElement<T>::dimensions;
};
}  // namespace detail

// `dimensions` is their number: 2 for T a[2][3], whose elements are of type T.
template <class T, std::size_t N>
struct traits<std::array<T, N>> : detail::common_traits<std::array<T, N>> {
  using element_traits = traits<typename detail::ArrayElement<T>::type>;
  using dimensions =
      std::integral_constant<std::uint32_t, detail::ArrayElement<std::array<T, N>>::dimensions>;
};

template <class K, class V>
struct traits<std::map<K, V>> : detail::common_traits<std::map<K, V>> {
  using key_traits = traits<K>;
  using value_traits = traits<V>;
  using is_bounded = std::false_type;
};

}  // namespace IDL
