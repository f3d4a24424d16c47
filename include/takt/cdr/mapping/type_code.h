// IDL::type_code<T>(): the TypeCodes of the mapping's types, made when they are first asked for.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <takt/cdr/mapping/bits.h>
#include <takt/cdr/mapping/bounded.h>
#include <takt/cdr/mapping/description.h>
#include <takt/cdr/mapping/fixed.h>
#include <takt/cdr/mapping/union.h>
#include <takt/cdr/typecode.h>

namespace takt::cdr {

// What generated code calls _tc_S: stands for a TypeCode without making it before main().
class TypeCodeConstant {
 public:
  using Get = CORBA::typecode_reference (*)();
  constexpr explicit TypeCodeConstant(Get get) : get_(get) {}
  operator CORBA::typecode_reference() const { return get_(); }  // NOLINT: meant to convert
  CORBA::typecode_reference operator->() const { return get_(); }
  CORBA::typecode_reference operator()() const { return get_(); }
  friend bool operator==(const TypeCodeConstant& a, const CORBA::typecode_reference& b) {
    return a.get_() == b;
  }

 private:
  Get get_;
};

namespace detail {

// The types whose TypeCodes this thread is making, outermost first. One that occurs inside itself is
// recursive.
struct TypeCodesInProgress {
  std::vector<std::string_view> ids;
  std::size_t refers_to = SIZE_MAX;  // the outermost of them that what was made refers to

  static TypeCodesInProgress& mine() {
    thread_local TypeCodesInProgress all;
    return all;
  }
};

// Makes a TypeCode once; Make is a type of its own for each caller. One that refers to an enclosing type is
// not kept, since it is whole only inside that.
template <class Make>
CORBA::typecode_reference remembered(std::string_view id, Make make) {
  static std::mutex mutex;
  static CORBA::typecode_reference kept;
  {
    const std::lock_guard lock(mutex);
    if (kept) return kept;
  }
  auto& all = TypeCodesInProgress::mine();
  const std::size_t depth = all.ids.size();
  if (const auto found = std::find(all.ids.begin(), all.ids.end(), id); found != all.ids.end()) {
    all.refers_to = std::min(all.refers_to, static_cast<std::size_t>(found - all.ids.begin()));
    return make_recursion(std::string(id));
  }
  const std::size_t outer = std::exchange(all.refers_to, SIZE_MAX);
  all.ids.push_back(id);
  CORBA::typecode_reference made = make();
  all.ids.pop_back();
  const bool whole = all.refers_to >= depth;
  all.refers_to = whole ? outer : std::min(outer, all.refers_to);
  if (!whole) return made;
  const std::lock_guard lock(mutex);
  if (!kept) kept = made;
  return kept;
}

inline TypeCodeMember typecode_member(std::string_view name, CORBA::typecode_reference type) {
  TypeCodeMember member;
  member.name = name;
  member.type = std::move(type);
  return member;
}

}  // namespace detail

using TypeCodes = std::vector<CORBA::typecode_reference>;

// `types` gives those of the struct's own members; `base` the base struct's TypeCode, whose members come
// first.
template <class S, class Types>
CORBA::typecode_reference struct_typecode(CORBA::TCKind kind, Types types,
                                          TypeCodeConstant::Get base = nullptr) {
  return detail::remembered(S::_description.id, [&] {
    TypeCodeParts parts;
    parts.kind = kind;
    parts.id = S::_description.id;
    parts.name = S::_description.name();
    if (base) parts.members = base()->_parts().members;
    const TypeCodes of_members = types();
    auto type = of_members.begin();
    for (const auto name : S::_description.members)
      parts.members.push_back(detail::typecode_member(name, *type++));
    return make_typecode(std::move(parts));
  });
}

template <class U, class Types>
CORBA::typecode_reference union_typecode(CORBA::typecode_reference discriminator, Types types) {
  return detail::remembered(U::_description.id, [&] {
    TypeCodeParts parts;
    parts.kind = CORBA::TCKind::tk_union;
    parts.id = U::_description.id;
    parts.name = U::_description.name();
    parts.discriminator = std::move(discriminator);
    const TypeCodes of_members = types();
    for (std::size_t arm = 0; arm < std::size(U::_description.members); ++arm) {
      for (const auto& label : U::_labels) {
        if (label.arm != arm) continue;
        auto member = detail::typecode_member(U::_description.members[arm], of_members[arm]);
        if constexpr (std::is_same_v<typename U::_discriminator_type, char>)
          member.label = static_cast<unsigned char>(label.value);
        else
          member.label = static_cast<std::int64_t>(label.value);
        parts.members.push_back(std::move(member));
      }
      if (arm != U::_default_arm) continue;
      parts.default_index = static_cast<std::int32_t>(parts.members.size());
      parts.members.push_back(detail::typecode_member(U::_description.members[arm], of_members[arm]));
    }
    return make_typecode(std::move(parts));
  });
}

template <DescribedEnum E>
CORBA::typecode_reference enum_typecode() {
  return detail::remembered(EnumSize<E>::description.id, [] {
    TypeCodeParts parts;
    parts.kind = CORBA::TCKind::tk_enum;
    parts.id = EnumSize<E>::description.id;
    parts.name = EnumSize<E>::description.name();
    for (const auto name : EnumSize<E>::description.members)
      parts.members.push_back(detail::typecode_member(name, {}));
    return make_typecode(std::move(parts));
  });
}

// `type` gives what the alias stands for.
template <class Type>
CORBA::typecode_reference alias_typecode(std::string_view id, std::string_view name, Type type) {
  return detail::remembered(id, [&] { return make_alias(id, name, type()); });
}

// An interface, by kind; or a native.
template <class Key>
CORBA::typecode_reference named_typecode(CORBA::TCKind kind, std::string_view id, std::string_view name) {
  return detail::remembered(id, [&] { return make_named(kind, id, name); });
}

template <class Box, class Type>
CORBA::typecode_reference box_typecode(std::string_view id, std::string_view name, Type type) {
  return detail::remembered(id, [&] {
    TypeCodeParts parts;
    parts.kind = CORBA::TCKind::tk_value_box;
    parts.id = id;
    parts.name = name;
    parts.content = type();
    return make_typecode(std::move(parts));
  });
}

struct ValueMember {
  std::string_view name;
  CORBA::typecode_reference type;
  CORBA::Visibility visibility;
};
template <class V, class Members>
CORBA::typecode_reference value_typecode(std::string_view id, std::string_view name,
                                         CORBA::ValueModifier modifier, TypeCodeConstant::Get base,
                                         Members members, CORBA::TCKind kind = CORBA::TCKind::tk_value) {
  return detail::remembered(id, [&] {
    TypeCodeParts parts;
    parts.kind = kind;  // or tk_event
    parts.id = id;
    parts.name = name;
    parts.modifier = modifier;
    if (base) parts.content = base();
    for (const ValueMember& member : std::vector<ValueMember>(members())) {
      parts.members.push_back(detail::typecode_member(member.name, member.type));
      parts.members.back().visibility = member.visibility;
    }
    return make_typecode(std::move(parts));
  });
}

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
// There is no TCKind for maps; a map travels as a sequence of pairs, and that is what its TypeCode says.
inline CORBA::typecode_reference map_typecode(CORBA::typecode_reference key,
                                              CORBA::typecode_reference element, std::uint32_t bound = 0) {
  TypeCodeParts pair;
  pair.kind = CORBA::TCKind::tk_struct;
  pair.members.push_back(detail::typecode_member("key", std::move(key)));
  pair.members.push_back(detail::typecode_member("value", std::move(element)));
  return sequence_typecode(make_typecode(std::move(pair)), bound);
}

// The TypeCode of a T that has no _type_code of its own: static CORBA::typecode_reference get().
template <class T>
struct TypeCodeOf;

// Constants as a type, so that each primitive's case is one line.
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
// Structs, unions, exceptions; references to objects and values by what they refer to.
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
// As the numbers that they travel as.
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
struct TypeCodeOf<std::optional<T>> : TypeCodeOf<T> {};
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

namespace IDL {

// Of each type of the mapping. Aliases are no types in C++: theirs are the _tc_ constants beside them.
template <class T>
CORBA::typecode_reference type_code() {
  return takt::cdr::TypeCodeOf<T>::get();
}

}  // namespace IDL
