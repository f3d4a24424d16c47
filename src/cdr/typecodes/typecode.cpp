#include <takt/cdr/typecode.h>

#include <algorithm>
#include <array>
#include <set>

#include <takt/cdr/any.h>

#include "cdr/typecodes/typecode_maker.h"

namespace CORBA {

void typecode_reference::throw_nil() { throw BAD_PARAM(0, COMPLETED_NO, "a nil TypeCode was dereferenced"); }

bool typecode_reference::is_equal(const typecode_reference& other) const {
  return type_ == other.type_ || (type_ && other.type_ && type_->equal(other));
}

namespace {

void need(bool right) {
  if (!right) throw TypeCode::BadKind();
}

[[noreturn]] void throw_incomplete() {
  throw BAD_TYPECODE(omg_minor(1), COMPLETED_NO, "a recursive TypeCode without the type that encloses it");
}

typecode_reference resolved(const typecode_reference& type) {
  if (!type) return type;
  auto kept = type->_kept();
  if (!kept) throw_incomplete();
  return kept;
}

// Apart, so that _unaliased() saves no registers.
[[gnu::cold, gnu::noinline]] const TypeCode& behind_recursion(const TypeCode& recursion) {
  const auto target = recursion._resolved(nullptr);
  return target ? target->_unaliased() : recursion;
}

}  // namespace

std::shared_ptr<const TypeCode> TypeCode::_resolved(const std::shared_ptr<const TypeCode>& self) const {
  return recursion_ ? enclosing_.lock() : self;
}

const TypeCode& TypeCode::_unaliased() const {
  const TypeCode* type = this;
  while (!type->recursion_ && type->parts_.kind == TCKind::tk_alias) type = type->parts_.content.get();
  return type->recursion_ ? behind_recursion(*type) : *type;
}

typecode_reference TypeCode::_kept() const {
  std::shared_ptr<const TypeCode> kept = recursion_ ? enclosing_.lock() : shared_from_this();
  if (!kept) return {};
  const TypeCode* const part = kept.get();
  while (auto outer = kept->enclosing_.lock()) kept = std::move(outer);
  return typecode_reference(std::shared_ptr<const TypeCode>(std::move(kept), part));
}

const takt::cdr::TypeCodeMember* TypeCode::_member_with_label(std::int64_t label) const {
  const auto found = std::lower_bound(labels_.begin(), labels_.end(), label,
                                      [](const auto& entry, std::int64_t key) { return entry.first < key; });
  if (found != labels_.end() && found->first == label) return &parts_.members[found->second];
  return parts_.default_index < 0 ? nullptr : &parts_.members[static_cast<std::size_t>(parts_.default_index)];
}

// The outer type keeps what it encloses, so that the target lives on.
const TypeCode& TypeCode::recursion_target() const {
  const auto target = enclosing_.lock();
  if (!target) throw_incomplete();
  return *target;
}

const std::string& TypeCode::id() const {
  const TypeCode& type = meant();
  need(takt::cdr::has_id(type.parts_.kind));
  return type.parts_.id;
}
const std::string& TypeCode::name() const {
  const TypeCode& type = meant();
  need(takt::cdr::has_id(type.parts_.kind));
  return type.parts_.name;
}
std::uint32_t TypeCode::member_count() const {
  const TypeCode& type = meant();
  need(takt::cdr::has_members(type.parts_.kind));
  return static_cast<std::uint32_t>(type.parts_.members.size());
}

namespace {

const takt::cdr::TypeCodeMember& member(const TypeCode& type, std::uint32_t index) {
  need(takt::cdr::has_members(type._parts().kind));
  if (index >= type._parts().members.size()) throw TypeCode::Bounds();
  return type._parts().members[index];
}

}  // namespace

const std::string& TypeCode::member_name(std::uint32_t index) const { return member(meant(), index).name; }
typecode_reference TypeCode::member_type(std::uint32_t index) const {
  need(kind() != TCKind::tk_enum);
  return resolved(member(meant(), index).type);
}
Visibility TypeCode::member_visibility(std::uint32_t index) const {
  need(takt::cdr::is_value(kind()));
  return member(meant(), index).visibility;
}
Any TypeCode::member_label(std::uint32_t index) const {
  const TypeCode& type = meant();
  need(type.parts_.kind == TCKind::tk_union);
  const auto& at = member(type, index);
  if (static_cast<std::int32_t>(index) == type.parts_.default_index) return takt::cdr::label_any({}, 0);
  return takt::cdr::label_any(type.parts_.discriminator, at.label);
}
typecode_reference TypeCode::discriminator_type() const {
  need(kind() == TCKind::tk_union);
  return resolved(meant().parts_.discriminator);
}
std::int32_t TypeCode::default_index() const {
  need(kind() == TCKind::tk_union);
  return meant().parts_.default_index;
}
std::uint32_t TypeCode::length() const {
  need(kind() == TCKind::tk_string || kind() == TCKind::tk_wstring || kind() == TCKind::tk_sequence ||
       kind() == TCKind::tk_array);
  return parts_.length;
}
typecode_reference TypeCode::content_type() const {
  need(takt::cdr::has_content(kind()));
  return resolved(meant().parts_.content);
}
std::uint16_t TypeCode::fixed_digits() const {
  need(kind() == TCKind::tk_fixed);
  return parts_.digits;
}
std::int16_t TypeCode::fixed_scale() const {
  need(kind() == TCKind::tk_fixed);
  return parts_.scale;
}
ValueModifier TypeCode::type_modifier() const {
  need(takt::cdr::is_value(kind()));
  return meant().parts_.modifier;
}
typecode_reference TypeCode::get_compact_typecode() const {
  takt::GatherBuffer buffer;
  takt::cdr::Encoder encoder(buffer);
  takt::cdr::write_typecode(
      encoder, typecode_reference(std::shared_ptr<const TypeCode>(std::shared_ptr<void>(), this)), true);
  if (!encoder.ok()) throw BAD_TYPECODE(omg_minor(1), COMPLETED_NO, "a TypeCode that is not complete");
  takt::cdr::Decoder decoder({buffer.owned(), buffer.owned_size()});
  auto compact = takt::cdr::read_typecode(decoder);
  if (!compact) throw IMP_LIMIT(0, COMPLETED_NO, "a TypeCode with too many levels to be read");
  return compact;
}
typecode_reference TypeCode::concrete_base_type() const {
  need(takt::cdr::is_value(kind()));
  return resolved(meant().parts_.content);
}

}  // namespace CORBA

namespace takt::cdr {

std::size_t discriminator_size(const TypeCode& type) {
  switch (type._unaliased()._parts().kind) {
    case TCKind::tk_boolean:
    case TCKind::tk_char:
    case TCKind::tk_octet:
      return 1;
    case TCKind::tk_short:
    case TCKind::tk_ushort:
      return 2;
    case TCKind::tk_wchar:
      return 3;  // size in GIOP 1.2
    case TCKind::tk_long:
    case TCKind::tk_ulong:
    case TCKind::tk_enum:
      return 4;
    case TCKind::tk_longlong:
    case TCKind::tk_ulonglong:
      return 8;
    default:
      return 0;
  }
}

const typecode_reference& basic_typecode(TCKind kind) {
  static const auto types = [] {
    std::array<typecode_reference, 37> made;
    for (std::uint32_t i = 0; i < made.size(); ++i) {
      const auto one = static_cast<TCKind>(i);
      if (!has_id(one) && !has_content(one) && one != TCKind::tk_fixed)
        made[i] = typecode_reference(TypeCodeMaker::make({.kind = one}));
    }
    return made;
  }();
  static const typecode_reference nil;
  const auto at = static_cast<std::size_t>(kind);
  return at < types.size() ? types[at] : nil;
}

namespace {

using Visited = std::set<const TypeCode*>;

// Links the recursions inside `type` that stand for `target`. Returns whether others are still open.
bool close(const typecode_reference& type, const std::shared_ptr<const TypeCode>& target, Visited& visited) {
  if (!type || !TypeCodeMaker::is_open(*type)) return false;
  if (type->_is_recursion()) {
    if (type->_parts().id != target->_parts().id) return true;
    TypeCodeMaker::resolve(*type, target);
    return false;
  }
  if (!visited.insert(type.get()).second) return true;
  TypeCodeMaker::enclose(*type, target);
  const TypeCodeParts& parts = type->_parts();
  bool open = close(parts.content, target, visited);
  for (const TypeCodeMember& member : parts.members) open = close(member.type, target, visited) || open;
  TypeCodeMaker::set_open(*type, open);
  return open;
}

[[noreturn]] void refuse(std::uint32_t minor, const char* why) {
  throw CORBA::BAD_TYPECODE(CORBA::omg_minor(minor), CORBA::COMPLETED_NO, why);
}

void check_content(const typecode_reference& type) {
  if (!type) refuse(3, "a TypeCode lacks a part");
  if (!type->_is_recursion() && is_illegal_member(type->_parts().kind))
    refuse(2, "a type that can't be a member or an element");
}

bool derives_from_itself(const TypeCode& type) {
  const TypeCode* at = &type;
  while (is_value(at->_parts().kind) && at->_parts().content) {
    at = &at->_parts().content->_unaliased();
    if (at == &type) return true;
  }
  return false;
}

}  // namespace

void check_parts(const TypeCodeParts& parts) {
  if (has_content(parts.kind)) check_content(parts.content);
  if (has_members(parts.kind) && parts.kind != TCKind::tk_enum)
    for (const TypeCodeMember& member : parts.members) check_content(member.type);
  if (parts.kind == TCKind::tk_array && parts.length == 0) refuse(3, "an array of no elements");
  if (parts.kind == TCKind::tk_fixed &&
      (parts.digits == 0 || parts.digits > 31 || parts.scale > parts.digits))
    refuse(3, "a fixed of no digits, or of more than 31");
  if (parts.kind != TCKind::tk_union) return;
  if (!parts.discriminator || discriminator_size(*parts.discriminator) == 0)
    refuse(3, "a union with a discriminator of a type that can't be one");
}

typecode_reference make_typecode(TypeCodeParts parts) {
  check_parts(parts);
  const bool can_be_meant = can_be_recursive(parts.kind);
  const std::shared_ptr<TypeCode> type = TypeCodeMaker::make(std::move(parts));
  if (!TypeCodeMaker::index_labels(*type))
    throw CORBA::BAD_PARAM(CORBA::omg_minor(18), CORBA::COMPLETED_NO, "a union's label is there twice");
  Visited visited;
  bool open = false;
  const auto visit = [&](const typecode_reference& part) {
    if (!part) return;
    open = (can_be_meant ? close(part, type, visited) : TypeCodeMaker::is_open(*part)) || open;
  };
  visit(type->_parts().content);
  for (const TypeCodeMember& member : type->_parts().members) visit(member.type);
  TypeCodeMaker::set_open(*type, open);
  if (derives_from_itself(*type)) refuse(3, "a valuetype that derives from itself");
  if (TypeCodeMaker::measure(*type) > 1000) refuse(3, "a type that is nested too deep");
  return typecode_reference(type);
}

typecode_reference make_recursion(std::string id) {
  return typecode_reference(TypeCodeMaker::make_recursion(std::move(id)));
}

typecode_reference make_alias(std::string_view id, std::string_view name, typecode_reference type) {
  return make_typecode({.kind = TCKind::tk_alias,
                        .id = std::string(id),
                        .name = std::string(name),
                        .content = std::move(type)});
}
typecode_reference make_named(TCKind kind, std::string_view id, std::string_view name) {
  return make_typecode({.kind = kind, .id = std::string(id), .name = std::string(name)});
}

}  // namespace takt::cdr
