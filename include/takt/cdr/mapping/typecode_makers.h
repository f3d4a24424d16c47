// Functions with which generated code makes its TypeCodes: each once, on first use, from any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include <takt/cdr/mapping/description.h>
#include <takt/cdr/typecode.h>

namespace takt::cdr {

// The type of generated _tc_ constants: stands for a TypeCode without making it before main().
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

using TypeCodes = std::vector<CORBA::typecode_reference>;

struct ValueMember {
  std::string_view name;
  CORBA::typecode_reference type;
  CORBA::Visibility visibility;
};

namespace detail {

// A type's TypeCode once it has been made. Kept until the process ends.
using CachedTypeCode = std::atomic<const CORBA::typecode_reference*>;

// Keeps a maker's TypeCode, keyed by a type of the caller: that of a lambda.
template <class Own>
inline constinit CachedTypeCode cached_typecode{nullptr};

struct TypeNames {
  std::string_view id, name;
  std::span<const std::string_view> members{};
};
template <class Description>
constexpr TypeNames names_of(const Description& description) {
  return {description.id, description.name(), description.members};
}

// The label of an arm, with as many bits as the discriminator.
struct TypeCodeLabel {
  std::int64_t value;
  std::size_t arm;
};
template <class U>
std::vector<TypeCodeLabel> union_labels() {
  std::vector<TypeCodeLabel> labels;
  for (const auto& label : U::_labels) {
    if constexpr (std::is_same_v<typename U::_discriminator_type, char>)
      labels.push_back({static_cast<unsigned char>(label.value), label.arm});
    else
      labels.push_back({static_cast<std::int64_t>(label.value), label.arm});
  }
  return labels;
}

using GetTypeCode = CORBA::typecode_reference();
using GetTypeCodes = TypeCodes();
struct UnionParts {
  std::vector<TypeCodeLabel> (*labels)();
  std::size_t default_arm;
};
struct ValueParts {
  CORBA::TCKind kind;
  CORBA::ValueModifier modifier;
  GetTypeCode* base;
  std::vector<ValueMember> (*members)();
};

CORBA::typecode_reference struct_typecode(CachedTypeCode& kept, const TypeNames& names, CORBA::TCKind kind,
                                          GetTypeCodes* types, GetTypeCode* base);
CORBA::typecode_reference union_typecode(CachedTypeCode& kept, const TypeNames& names,
                                         const UnionParts& parts,
                                         const CORBA::typecode_reference& discriminator, GetTypeCodes* types);
CORBA::typecode_reference enum_typecode(CachedTypeCode& kept, const TypeNames& names);
CORBA::typecode_reference alias_typecode(CachedTypeCode& kept, const TypeNames& names, GetTypeCode* type);
CORBA::typecode_reference named_typecode(CachedTypeCode& kept, const TypeNames& names, CORBA::TCKind kind);
CORBA::typecode_reference box_typecode(CachedTypeCode& kept, const TypeNames& names, GetTypeCode* type);
CORBA::typecode_reference value_typecode(CachedTypeCode& kept, const TypeNames& names,
                                         const ValueParts& parts);

}  // namespace detail

// `types` gives the types of the struct's own members. `base` gives the base struct's TypeCode, whose members
// come first.
template <class S, class Types>
CORBA::typecode_reference struct_typecode(CORBA::TCKind kind, Types types,
                                          TypeCodeConstant::Get base = nullptr) {
  return detail::struct_typecode(detail::cached_typecode<Types>, detail::names_of(S::_description), kind,
                                 types, base);
}

// `types` gives the types of the arms.
template <class U, class Types>
CORBA::typecode_reference union_typecode(const CORBA::typecode_reference& discriminator, Types types) {
  return detail::union_typecode(detail::cached_typecode<Types>, detail::names_of(U::_description),
                                {&detail::union_labels<U>, U::_default_arm}, discriminator, types);
}

template <DescribedEnum E>
CORBA::typecode_reference enum_typecode() {
  return detail::enum_typecode(detail::cached_typecode<E>, detail::names_of(EnumSize<E>::description));
}

// `type` gives the aliased type.
template <class Type>
CORBA::typecode_reference alias_typecode(std::string_view id, std::string_view name, Type type) {
  return detail::alias_typecode(detail::cached_typecode<Type>, {id, name}, type);
}

// A native, or an interface of that kind.
template <class Key>
CORBA::typecode_reference named_typecode(CORBA::TCKind kind, std::string_view id, std::string_view name) {
  return detail::named_typecode(detail::cached_typecode<Key>, {id, name}, kind);
}

template <class Box, class Type>
CORBA::typecode_reference box_typecode(std::string_view id, std::string_view name, Type type) {
  return detail::box_typecode(detail::cached_typecode<Type>, {id, name}, type);
}

// `kind`: tk_value or tk_event.
template <class V, class Members>
CORBA::typecode_reference value_typecode(std::string_view id, std::string_view name,
                                         CORBA::ValueModifier modifier, TypeCodeConstant::Get base,
                                         Members members, CORBA::TCKind kind = CORBA::TCKind::tk_value) {
  return detail::value_typecode(detail::cached_typecode<Members>, {id, name},
                                {kind, modifier, base, members});
}

}  // namespace takt::cdr
