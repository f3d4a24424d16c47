#include "ifr/types/type_codes.h"

#include <array>
#include <utility>

#include <takt/base/gather_buffer.h>
#include <takt/cdr/any.h>
#include <takt/cdr/codec.h>
#include <takt/cdr/exception.h>
#include <takt/cdr/mapping/type_code.h>
#include <takt/cdr/value.h>

#include "ifr/model/type_text.h"

namespace takt::ifr {
namespace {

using CORBA::TCKind;
using CORBA::typecode_reference;

[[noreturn]] void throw_damaged(const std::string& what) {
  throw CORBA::PERSIST_STORE(0, CORBA::COMPLETED_NO, "the repository's file is damaged: " + what);
}

// In the order of PrimitiveKind.
constexpr std::array primitive_kinds{
    TCKind::tk_null,   TCKind::tk_void,     TCKind::tk_short,     TCKind::tk_long,       TCKind::tk_ushort,
    TCKind::tk_ulong,  TCKind::tk_float,    TCKind::tk_double,    TCKind::tk_boolean,    TCKind::tk_char,
    TCKind::tk_octet,  TCKind::tk_any,      TCKind::tk_TypeCode,  TCKind::tk_Principal,  TCKind::tk_string,
    TCKind::tk_objref, TCKind::tk_longlong, TCKind::tk_ulonglong, TCKind::tk_longdouble, TCKind::tk_wchar,
    TCKind::tk_wstring};

typecode_reference primitive(std::uint32_t kind) {
  if (kind >= primitive_kinds.size()) return CORBA::ValueBase::_type_code();
  if (primitive_kinds[kind] == TCKind::tk_objref)
    return cdr::make_named(TCKind::tk_objref, "IDL:omg.org/CORBA/Object:1.0", "Object");
  return cdr::basic_typecode(primitive_kinds[kind]);
}

cdr::TypeCodeParts parts_of(TCKind kind, const Definition& definition) {
  return {.kind = kind, .id = definition.id, .name = definition.name};
}

TCKind interface_kind(Kind kind) {
  return kind == Kind::dk_LocalInterface      ? TCKind::tk_local_interface
         : kind == Kind::dk_AbstractInterface ? TCKind::tk_abstract_interface
                                              : TCKind::tk_objref;
}

std::size_t length_of(const typecode_reference& type) {
  GatherBuffer buffer(512);
  cdr::Encoder encoder(buffer, cdr::any_format());
  encoder.set_borrowing(false);
  cdr::write(encoder, type);
  return buffer.owned_size();
}

}  // namespace

void TypeCodes::count(std::size_t octets) {
  if (octets > reply_bytes_ - counted_)
    throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                           "the reply would have more than " + std::to_string(reply_bytes_) +
                               " octets, most of them TypeCodes; ask for fewer definitions at a time");
  counted_ += octets;
}

typecode_reference TypeCodes::counted(typecode_reference type) {
  if (reply_bytes_ == unlimited || !type) return type;
  auto [known, is_new] = lengths_.try_emplace(&*type, type, 0);
  if (is_new) known->second.second = length_of(type);
  count(known->second.second);
  return type;
}

typecode_reference TypeCodes::whole(std::string_view text) {
  const auto type = parse_type(text);
  if (!type) throw_damaged("a type is missing");
  using Form = TypeText::Form;
  switch (type->form) {
    case Form::primitive:
      return primitive(type->bound);
    case Form::string:
      return cdr::string_typecode(TCKind::tk_string, type->bound);
    case Form::wstring:
      return cdr::string_typecode(TCKind::tk_wstring, type->bound);
    case Form::fixed:
      return cdr::fixed_typecode(static_cast<std::uint16_t>(type->bound),
                                 static_cast<std::uint16_t>(type->scale));
    case Form::sequence:
      return cdr::sequence_typecode(whole(type->element), type->bound);
    case Form::array:
      return cdr::array_typecode(whole(type->element), type->bound);
    case Form::unnamed:
      return whole(store_.expanded(std::string(text), limits_.nesting));
    case Form::definition:
      break;
  }
  return whole(type->number);
}

typecode_reference TypeCodes::whole(Number number) {
  if (const auto found = made_.find(number); found != made_.end()) return found->second;
  const auto definition = store_.find(number);
  if (!definition) throw_damaged("definition " + std::to_string(number) + " is missing");
  return whole(*definition);
}

// A type is kept if it is complete: if it contains no recursion to a type around it. In a TypeCode no alias
// or box can be referred to by recursion, so they are made again until the struct, union or value between
// comes round.
typecode_reference TypeCodes::whole(const Definition& definition) {
  if (const auto found = made_.find(definition.number); found != made_.end()) return found->second;
  const bool recurs = definition.kind != Kind::dk_Alias && definition.kind != Kind::dk_ValueBox;
  if (recurs && in_progress_.encloses(definition.number)) return cdr::make_recursion(definition.id);
  if (auto inside = in_progress_.made_inside(definition.number)) return inside;
  if (++makings_ > limits_.types || in_progress_.depth() >= limits_.nesting)
    throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                           "type " + definition.id + " consists of too many other types, or nests too deep");
  auto [type, is_whole] = in_progress_.make(definition.number, recurs, [&] { return made(definition); });
  if (is_whole) made_.emplace(definition.number, type);
  return type;
}

typecode_reference TypeCodes::made(const Definition& definition) {
  switch (definition.kind) {
    case Kind::dk_Struct:
      return with_members(TCKind::tk_struct, definition);
    case Kind::dk_Exception:
      return with_members(TCKind::tk_except, definition);
    case Kind::dk_Union:
      return made_union(definition);
    case Kind::dk_Enum: {
      cdr::TypeCodeParts parts = parts_of(TCKind::tk_enum, definition);
      for (const Member& member : definition.details.members())
        parts.members.push_back({.name = member.name()});
      return cdr::make_typecode(std::move(parts));
    }
    case Kind::dk_Alias:
      return cdr::make_alias(definition.id, definition.name, whole(definition.details.type()));
    case Kind::dk_ValueBox: {
      cdr::TypeCodeParts parts = parts_of(TCKind::tk_value_box, definition);
      parts.content = whole(definition.details.type());
      return cdr::make_typecode(std::move(parts));
    }
    case Kind::dk_Native:
      return cdr::make_named(TCKind::tk_native, definition.id, definition.name);
    case Kind::dk_Interface:
    case Kind::dk_AbstractInterface:
    case Kind::dk_LocalInterface:
      return cdr::make_named(interface_kind(definition.kind), definition.id, definition.name);
    case Kind::dk_Value:
      return made_value(definition);
    default:
      throw_damaged(definition.id + " is no type");
  }
}

typecode_reference TypeCodes::with_members(TCKind kind, const Definition& definition) {
  cdr::TypeCodeParts parts = parts_of(kind, definition);
  for (const Member& member : definition.details.members())
    parts.members.push_back({.name = member.name(), .type = whole(member.type())});
  return cdr::make_typecode(std::move(parts));
}

typecode_reference TypeCodes::made_union(const Definition& definition) {
  cdr::TypeCodeParts parts = parts_of(TCKind::tk_union, definition);
  parts.discriminator = whole(definition.details.type());
  for (const Member& member : definition.details.members()) {
    if (member.is_default()) parts.default_index = static_cast<std::int32_t>(parts.members.size());
    parts.members.push_back({.name = member.name(), .type = whole(member.type()), .label = member.label()});
  }
  return cdr::make_typecode(std::move(parts));
}

typecode_reference TypeCodes::made_value(const Definition& definition) {
  const Details& details = definition.details;
  cdr::TypeCodeParts parts = parts_of(TCKind::tk_value, definition);
  parts.modifier = details.is_custom()        ? CORBA::VM_CUSTOM
                   : details.is_abstract()    ? CORBA::VM_ABSTRACT
                   : details.is_truncatable() ? CORBA::VM_TRUNCATABLE
                                              : CORBA::VM_NONE;
  if (details.base()) parts.content = whole(details.base());
  for (const Entry& entry : store_.contents(definition.number, limits_.listed)) {
    if (entry.kind != Kind::dk_ValueMember) continue;
    const auto member = store_.find(entry.number);
    if (!member) throw_damaged("a value's member is missing");
    parts.members.push_back(
        {.name = member->name, .type = whole(member->details.type()), .visibility = member->details.mode()});
  }
  return cdr::make_typecode(std::move(parts));
}

}  // namespace takt::ifr
