// TypeCodes of the types of an IDL file.
#include "types/idl_types.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include <takt/cdr/mapping/type_code.h>
#include <takt/cdr/types_in_progress.h>
#include <takt/cdr/value.h>

#include "json/members.h"

namespace takt::command {
namespace {

using CORBA::TCKind;
using CORBA::typecode_reference;
using idl::Declaration;
using idl::DeclarationKind;
using idl::TypeKind;

// The smallest integer type with at least `bits` bits.
TCKind holder_of(std::uint32_t bits) {
  return bits <= 8    ? TCKind::tk_octet
         : bits <= 16 ? TCKind::tk_ushort
         : bits <= 32 ? TCKind::tk_ulong
                      : TCKind::tk_ulonglong;
}

std::uint32_t width_of(const Declaration& bitset) {
  std::uint32_t width = bitset.bases.empty() ? 0 : width_of(defined(*bitset.bases.front()));
  for (const Declaration* field : bitset.contents) width += field->width;
  return width;
}

}  // namespace

std::int64_t label_of(const idl::Value& value, TypeKind discriminator) {
  if (const auto* number = std::get_if<idl::Int128>(&value.is)) {
    const auto label = static_cast<std::int64_t>(*number);
    return discriminator == TypeKind::int8 ? label & 0xff : label;
  }
  if (const auto* boolean = std::get_if<bool>(&value.is)) return *boolean;
  if (const auto* character = std::get_if<char32_t>(&value.is)) return *character;
  if (const auto* enumerator = std::get_if<const Declaration*>(&value.is))
    return label_of((*enumerator)->value, discriminator);
  return 0;
}

class IdlTypes::Maker {
 public:
  typecode_reference of(const idl::Type& type) {
    const auto bound = static_cast<std::uint32_t>(type.bound);
    switch (type.kind) {
      case TypeKind::void_:
        return cdr::basic_typecode(TCKind::tk_void);
      case TypeKind::boolean:
        return cdr::basic_typecode(TCKind::tk_boolean);
      case TypeKind::char_:
        return cdr::basic_typecode(TCKind::tk_char);
      case TypeKind::wchar:
        return cdr::basic_typecode(TCKind::tk_wchar);
      case TypeKind::octet:
      case TypeKind::int8:
      case TypeKind::uint8:
        return cdr::basic_typecode(TCKind::tk_octet);
      case TypeKind::int16:
        return cdr::basic_typecode(TCKind::tk_short);
      case TypeKind::uint16:
        return cdr::basic_typecode(TCKind::tk_ushort);
      case TypeKind::int32:
        return cdr::basic_typecode(TCKind::tk_long);
      case TypeKind::uint32:
        return cdr::basic_typecode(TCKind::tk_ulong);
      case TypeKind::int64:
        return cdr::basic_typecode(TCKind::tk_longlong);
      case TypeKind::uint64:
        return cdr::basic_typecode(TCKind::tk_ulonglong);
      case TypeKind::float_:
        return cdr::basic_typecode(TCKind::tk_float);
      case TypeKind::double_:
        return cdr::basic_typecode(TCKind::tk_double);
      case TypeKind::long_double:
        return cdr::basic_typecode(TCKind::tk_longdouble);
      case TypeKind::any:
        return cdr::basic_typecode(TCKind::tk_any);
      case TypeKind::typecode:
        return cdr::basic_typecode(TCKind::tk_TypeCode);
      case TypeKind::object:
        return cdr::make_named(TCKind::tk_objref, "IDL:omg.org/CORBA/Object:1.0", "Object");
      case TypeKind::value_base:
        return CORBA::ValueBase::_type_code();
      case TypeKind::string:
        return cdr::string_typecode(TCKind::tk_string, bound);
      case TypeKind::wstring:
        return cdr::string_typecode(TCKind::tk_wstring, bound);
      case TypeKind::fixed:
        return cdr::fixed_typecode(type.digits, type.scale);
      case TypeKind::sequence:
        return cdr::sequence_typecode(of(*type.element), bound);
      case TypeKind::map:
        return cdr::map_typecode(of(*type.key), of(*type.element), bound);
      case TypeKind::array:
        return cdr::array_typecode(of(*type.element), bound);
      case TypeKind::named:
        return of(defined(*type.declaration));
    }
    return {};
  }

  typecode_reference of(const Declaration& declaration) {
    using Kind = DeclarationKind;
    switch (declaration.kind) {
      case Kind::typedef_:
        return of(*declaration.type);
      case Kind::enum_:
        return enumeration(declaration);
      case Kind::bitmask:
        return cdr::basic_typecode(holder_of(declaration.width ? declaration.width : 32));
      case Kind::bitset:
        return cdr::basic_typecode(holder_of(width_of(declaration)));
      case Kind::native:
        return named(TCKind::tk_native, declaration);
      case Kind::component:
        return named(TCKind::tk_component, declaration);
      case Kind::home:
        return named(TCKind::tk_home, declaration);
      case Kind::interface_:
      case Kind::forward_:
        return named(declaration.is_local      ? TCKind::tk_local_interface
                     : declaration.is_abstract ? TCKind::tk_abstract_interface
                                               : TCKind::tk_objref,
                     declaration);
      default:
        return constructed(declaration);
    }
  }

 private:
  static typecode_reference named(TCKind kind, const Declaration& declaration) {
    return cdr::make_named(kind, declaration.repository_id, declaration.name);
  }

  static typecode_reference enumeration(const Declaration& declaration) {
    cdr::TypeCodeParts parts = parts_of(TCKind::tk_enum, declaration);
    for (const Declaration* enumerator : declaration.contents)
      parts.members.push_back({.name = enumerator->name});
    return cdr::make_typecode(std::move(parts));
  }

  static cdr::TypeCodeParts parts_of(TCKind kind, const Declaration& declaration) {
    return {.kind = kind, .id = declaration.repository_id, .name = declaration.name};
  }

  // Makes the TypeCode of a type that may contain itself. It is cached if it is complete, that is, contains
  // no recursion to a type around it.
  typecode_reference constructed(const Declaration& declaration) {
    if (const auto found = made_.find(&declaration); found != made_.end()) return found->second;
    if (in_progress_.encloses(&declaration)) return cdr::make_recursion(declaration.repository_id);
    if (auto inside = in_progress_.made_inside(&declaration)) return inside;
    auto [type, is_whole] = in_progress_.make(&declaration, true, [&] { return made(declaration); });
    if (is_whole) made_.emplace(&declaration, type);
    return type;
  }

  typecode_reference made(const Declaration& declaration) {
    using Kind = DeclarationKind;
    switch (declaration.kind) {
      case Kind::union_:
        return made_union(declaration);
      case Kind::value:
        return made_value(TCKind::tk_value, declaration);
      case Kind::event:
        return made_value(TCKind::tk_event, declaration);
      case Kind::value_box: {
        cdr::TypeCodeParts parts = parts_of(TCKind::tk_value_box, declaration);
        parts.content = of(*declaration.type);
        return cdr::make_typecode(std::move(parts));
      }
      default: {
        cdr::TypeCodeParts parts = parts_of(
            declaration.kind == Kind::exception ? TCKind::tk_except : TCKind::tk_struct, declaration);
        add_members(parts, declaration);
        return cdr::make_typecode(std::move(parts));
      }
    }
  }

  // Adds a struct's members, those of its base first.
  void add_members(cdr::TypeCodeParts& parts, const Declaration& declaration) {
    if (parts.kind == TCKind::tk_struct && !declaration.bases.empty())
      add_members(parts, defined(*declaration.bases.front()));
    for (const Declaration* member : declaration.contents)
      if (member->kind == DeclarationKind::member)
        parts.members.push_back({.name = member->name,
                                 .type = type_of_member(*member),
                                 .visibility = visibility_of(parts.kind, *member)});
  }

  static bool is_value(TCKind kind) { return kind == TCKind::tk_value || kind == TCKind::tk_event; }

  static CORBA::Visibility visibility_of(TCKind kind, const Declaration& member) {
    return is_value(kind) && !member.is_private ? CORBA::PUBLIC_MEMBER : CORBA::PRIVATE_MEMBER;
  }

  // Only structs and exceptions have optional members in CDR.
  typecode_reference type_of_member(const Declaration& member) {
    const auto type = of(*member.type);
    return member.is_optional ? json::make_optional(type) : type;
  }

  typecode_reference made_union(const Declaration& declaration) {
    cdr::TypeCodeParts parts = parts_of(TCKind::tk_union, declaration);
    parts.discriminator = of(*declaration.type);
    const TypeKind discriminator = declaration.type->resolved().kind;
    for (const Declaration* member : declaration.contents) {
      if (member->kind != DeclarationKind::member) continue;
      const auto type = of(*member->type);
      for (const idl::Value& label : member->labels)
        parts.members.push_back(
            {.name = member->name, .type = type, .label = label_of(label, discriminator)});
      if (!member->default_label) continue;
      parts.default_index = static_cast<std::int32_t>(parts.members.size());
      parts.members.push_back({.name = member->name, .type = type});
    }
    return cdr::make_typecode(std::move(parts));
  }

  typecode_reference made_value(TCKind kind, const Declaration& declaration) {
    cdr::TypeCodeParts parts = parts_of(kind, declaration);
    parts.modifier = declaration.is_custom        ? CORBA::VM_CUSTOM
                     : declaration.is_abstract    ? CORBA::VM_ABSTRACT
                     : declaration.is_truncatable ? CORBA::VM_TRUNCATABLE
                                                  : CORBA::VM_NONE;
    if (!declaration.bases.empty())
      if (const Declaration& base = defined(*declaration.bases.front()); !base.is_abstract)
        parts.content = of(base);
    add_members(parts, declaration);
    return cdr::make_typecode(std::move(parts));
  }

  std::map<const Declaration*, typecode_reference> made_;
  cdr::TypesInProgress<const Declaration*> in_progress_;
};

IdlTypes::IdlTypes() : maker_(std::make_unique<Maker>()) {}
IdlTypes::~IdlTypes() = default;
CORBA::typecode_reference IdlTypes::of(const idl::Type& type) { return maker_->of(type); }
CORBA::typecode_reference IdlTypes::of(const idl::Declaration& declaration) {
  return maker_->of(declaration);
}

}  // namespace takt::command
