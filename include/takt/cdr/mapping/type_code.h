// IDL::type_code<T>(): the TypeCodes of the mapping's types, made on first use.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <takt/cdr/mapping/bits.h>
#include <takt/cdr/mapping/bounded.h>
#include <takt/cdr/mapping/fixed.h>
#include <takt/cdr/mapping/traits.h>
#include <takt/cdr/mapping/typecode_makers.h>
#include <takt/cdr/mapping/union.h>
#include <takt/cdr/typecode.h>

namespace takt::cdr {

inline CORBA::typecode_reference string_typecode(CORBA::TCKind kind, std::uint32_t bound) {
  if (bound == 0) return basic_typecode(kind);
  TypeCodeParts parts;
  parts.kind = kind;
  parts.length = bound;
  return make_typecode(std::move(parts));
}
inline CORBA::typecode_reference sequence_typecode(CORBA::typecode_reference element,
                                                   std::uint32_t bound = 0) {
  TypeCodeParts parts;
  parts.kind = CORBA::TCKind::tk_sequence;
  parts.content = std::move(element);
  parts.length = bound;
  return make_typecode(std::move(parts));
}
inline CORBA::typecode_reference array_typecode(CORBA::typecode_reference element, std::uint32_t length) {
  TypeCodeParts parts;
  parts.kind = CORBA::TCKind::tk_array;
  parts.content = std::move(element);
  parts.length = length;
  return make_typecode(std::move(parts));
}
inline CORBA::typecode_reference fixed_typecode(std::uint16_t digits, std::uint16_t scale) {
  TypeCodeParts parts;
  parts.kind = CORBA::TCKind::tk_fixed;
  parts.digits = digits;
  parts.scale = static_cast<std::int16_t>(scale);
  return make_typecode(std::move(parts));
}
// There is no TCKind for maps. A map is sent as a sequence of pairs, and its TypeCode says so.
inline CORBA::typecode_reference map_typecode(CORBA::typecode_reference key,
                                              CORBA::typecode_reference element, std::uint32_t bound = 0) {
  TypeCodeParts pair;
  pair.kind = CORBA::TCKind::tk_struct;
  pair.members.push_back({.name = "key", .type = std::move(key)});
  pair.members.push_back({.name = "value", .type = std::move(element)});
  return sequence_typecode(make_typecode(std::move(pair)), bound);
}
// An @optional member is sent as a union without a default: a boolean, and the value if that is true. The
// descriptions of interfaces (takt-idl --description) have the same type.
inline CORBA::typecode_reference optional_typecode(CORBA::typecode_reference type) {
  TypeCodeParts parts;
  parts.kind = CORBA::TCKind::tk_union;
  parts.discriminator = basic_typecode(CORBA::TCKind::tk_boolean);
  parts.members.push_back({.name = "$optional", .type = std::move(type), .label = 1});
  return make_typecode(std::move(parts));
}

// The TypeCode of a T without a _type_code of its own: static CORBA::typecode_reference get().
template <class T>
struct TypeCodeOf;

// Constants as a type, so that each primitive takes one line.
template <CORBA::TCKind Kind>
struct BasicTypeCode {
  static CORBA::typecode_reference get() { return basic_typecode(Kind); }
};
template <>
struct TypeCodeOf<bool> : BasicTypeCode<CORBA::TCKind::tk_boolean> {};
template <>
struct TypeCodeOf<char> : BasicTypeCode<CORBA::TCKind::tk_char> {};
template <>
struct TypeCodeOf<wchar_t> : BasicTypeCode<CORBA::TCKind::tk_wchar> {};
template <>
struct TypeCodeOf<std::uint8_t> : BasicTypeCode<CORBA::TCKind::tk_octet> {};
template <>
struct TypeCodeOf<std::int8_t> : BasicTypeCode<CORBA::TCKind::tk_octet> {};
template <>
struct TypeCodeOf<std::int16_t> : BasicTypeCode<CORBA::TCKind::tk_short> {};
template <>
struct TypeCodeOf<std::uint16_t> : BasicTypeCode<CORBA::TCKind::tk_ushort> {};
template <>
struct TypeCodeOf<std::int32_t> : BasicTypeCode<CORBA::TCKind::tk_long> {};
template <>
struct TypeCodeOf<std::uint32_t> : BasicTypeCode<CORBA::TCKind::tk_ulong> {};
template <>
struct TypeCodeOf<std::int64_t> : BasicTypeCode<CORBA::TCKind::tk_longlong> {};
template <>
struct TypeCodeOf<std::uint64_t> : BasicTypeCode<CORBA::TCKind::tk_ulonglong> {};
template <>
struct TypeCodeOf<float> : BasicTypeCode<CORBA::TCKind::tk_float> {};
template <>
struct TypeCodeOf<double> : BasicTypeCode<CORBA::TCKind::tk_double> {};
template <>
struct TypeCodeOf<long double> : BasicTypeCode<CORBA::TCKind::tk_longdouble> {};
template <>
struct TypeCodeOf<std::string> : BasicTypeCode<CORBA::TCKind::tk_string> {};
template <>
struct TypeCodeOf<std::wstring> : BasicTypeCode<CORBA::TCKind::tk_wstring> {};
template <>
struct TypeCodeOf<CORBA::typecode_reference> : BasicTypeCode<CORBA::TCKind::tk_TypeCode> {};
template <>
struct TypeCodeOf<CORBA::Any> : BasicTypeCode<CORBA::TCKind::tk_any> {};

template <DescribedEnum E>
struct TypeCodeOf<E> {
  static CORBA::typecode_reference get() { return enum_typecode<E>(); }
};
// Structs, unions and exceptions; for references to objects and values, the type that they refer to.
template <class T>
  requires requires { T::_type_code(); }
struct TypeCodeOf<T> {
  static CORBA::typecode_reference get() { return T::_type_code(); }
};
template <class T>
  requires requires { T::element_type::_type_code(); } && (!requires { typename T::value_type; })
struct TypeCodeOf<T> {
  static CORBA::typecode_reference get() { return T::element_type::_type_code(); }
};
// Described as the number that they are sent as.
template <class T>
  requires IsBitMask<T> || IsBitSet<T>
struct TypeCodeOf<T> : TypeCodeOf<typename T::_underlying_type> {};

template <class T>
struct TypeCodeOf<std::vector<T>> {
  static CORBA::typecode_reference get() { return sequence_typecode(TypeCodeOf<T>::get()); }
};
template <class T, std::size_t N>
struct TypeCodeOf<std::array<T, N>> {
  static CORBA::typecode_reference get() { return array_typecode(TypeCodeOf<T>::get(), N); }
};
template <class K, class V>
struct TypeCodeOf<std::map<K, V>> {
  static CORBA::typecode_reference get() { return map_typecode(TypeCodeOf<K>::get(), TypeCodeOf<V>::get()); }
};
template <class T>
struct TypeCodeOf<std::optional<T>> {
  static CORBA::typecode_reference get() { return optional_typecode(TypeCodeOf<T>::get()); }
};
template <class C, std::uint32_t N>
struct TypeCodeOf<IDL::bounded_basic_string<C, N>> {
  static CORBA::typecode_reference get() {
    return string_typecode(std::is_same_v<C, char> ? CORBA::TCKind::tk_string : CORBA::TCKind::tk_wstring, N);
  }
};
template <class T, std::uint32_t N>
struct TypeCodeOf<IDL::bounded_vector<T, N>> {
  static CORBA::typecode_reference get() { return sequence_typecode(TypeCodeOf<T>::get(), N); }
};
template <class K, class V, std::uint32_t N>
struct TypeCodeOf<IDL::bounded_map<K, V, N>> {
  static CORBA::typecode_reference get() {
    return map_typecode(TypeCodeOf<K>::get(), TypeCodeOf<V>::get(), N);
  }
};
template <std::uint16_t D, std::uint16_t S>
struct TypeCodeOf<IDL::Fixed<D, S>> {
  static CORBA::typecode_reference get() { return fixed_typecode(D, S); }
};

}  // namespace takt::cdr

namespace CORBA {

inline constexpr takt::cdr::TypeCodeConstant _tc_null{&takt::cdr::BasicTypeCode<TCKind::tk_null>::get};
inline constexpr takt::cdr::TypeCodeConstant _tc_void{&takt::cdr::BasicTypeCode<TCKind::tk_void>::get};
inline constexpr takt::cdr::TypeCodeConstant _tc_short{&takt::cdr::BasicTypeCode<TCKind::tk_short>::get};
inline constexpr takt::cdr::TypeCodeConstant _tc_long{&takt::cdr::BasicTypeCode<TCKind::tk_long>::get};
inline constexpr takt::cdr::TypeCodeConstant _tc_ushort{&takt::cdr::BasicTypeCode<TCKind::tk_ushort>::get};
inline constexpr takt::cdr::TypeCodeConstant _tc_ulong{&takt::cdr::BasicTypeCode<TCKind::tk_ulong>::get};
inline constexpr takt::cdr::TypeCodeConstant _tc_float{&takt::cdr::BasicTypeCode<TCKind::tk_float>::get};
inline constexpr takt::cdr::TypeCodeConstant _tc_double{&takt::cdr::BasicTypeCode<TCKind::tk_double>::get};
inline constexpr takt::cdr::TypeCodeConstant _tc_boolean{&takt::cdr::BasicTypeCode<TCKind::tk_boolean>::get};
inline constexpr takt::cdr::TypeCodeConstant _tc_char{&takt::cdr::BasicTypeCode<TCKind::tk_char>::get};
inline constexpr takt::cdr::TypeCodeConstant _tc_octet{&takt::cdr::BasicTypeCode<TCKind::tk_octet>::get};
inline constexpr takt::cdr::TypeCodeConstant _tc_any{&takt::cdr::BasicTypeCode<TCKind::tk_any>::get};
inline constexpr takt::cdr::TypeCodeConstant _tc_TypeCode{
    &takt::cdr::BasicTypeCode<TCKind::tk_TypeCode>::get};
inline constexpr takt::cdr::TypeCodeConstant _tc_string{&takt::cdr::BasicTypeCode<TCKind::tk_string>::get};
inline constexpr takt::cdr::TypeCodeConstant _tc_longlong{
    &takt::cdr::BasicTypeCode<TCKind::tk_longlong>::get};
inline constexpr takt::cdr::TypeCodeConstant _tc_ulonglong{
    &takt::cdr::BasicTypeCode<TCKind::tk_ulonglong>::get};
inline constexpr takt::cdr::TypeCodeConstant _tc_longdouble{
    &takt::cdr::BasicTypeCode<TCKind::tk_longdouble>::get};
inline constexpr takt::cdr::TypeCodeConstant _tc_wchar{&takt::cdr::BasicTypeCode<TCKind::tk_wchar>::get};
inline constexpr takt::cdr::TypeCodeConstant _tc_wstring{&takt::cdr::BasicTypeCode<TCKind::tk_wstring>::get};

}  // namespace CORBA

namespace IDL {

template <>
struct traits<CORBA::TypeCode> : detail::common_traits<CORBA::typecode_reference, CORBA::typecode_reference> {
  using ref_type = CORBA::typecode_reference;
};
template <>
struct traits<CORBA::typecode_reference> : traits<CORBA::TypeCode> {};

// For every type of the mapping. Aliases are not C++ types: their TypeCodes are the _tc_ constants.
template <class T>
CORBA::typecode_reference type_code() {
  return takt::cdr::TypeCodeOf<T>::get();
}

}  // namespace IDL
