// The runtime's TypeCodes for the classic mapping, and how descriptions become TypeCodes.
#include <string>
#include <utility>

#include <takt/cdr/types_in_progress.h>

#include "classic/bridge/types.h"

namespace takt::classic {

namespace {

using CORBA::TCKind;

// Makes the TypeCode of a description and of the types that it contains.
class Making {
 public:
  CORBA::typecode_reference make(TypeNode& node) {
    if (const TypeCodeHandle* const made = node.made.load(std::memory_order_acquire)) return made->type;
    if (types_.encloses(&node)) return cdr::make_recursion(node.id);
    if (auto inside = types_.made_inside(&node)) return inside;
    const bool can_be_meant = is(node, TCKind::tk_struct) || is(node, TCKind::tk_union) ||
                              is(node, TCKind::tk_except) || is(node, TCKind::tk_value) ||
                              is(node, TCKind::tk_value_box);
    auto [type, is_whole] = types_.make(&node, can_be_meant, [&] { return fresh(node); });
    if (is_whole) keep(node, type);
    return type;
  }

 private:
  static bool is(const TypeNode& node, TCKind kind) { return node.kind == static_cast<std::uint32_t>(kind); }
  static bool has_only_a_name(TCKind kind) {
    return kind == TCKind::tk_objref || kind == TCKind::tk_local_interface || kind == TCKind::tk_native ||
           kind == TCKind::tk_abstract_interface;
  }
  static void keep(TypeNode& node, const CORBA::typecode_reference& type) {
    auto* const mine = new TypeCodeHandle(type);
    TypeCodeHandle* none = nullptr;  // two threads may make it at once
    if (!node.made.compare_exchange_strong(none, mine, std::memory_order_acq_rel)) delete mine;
  }
  CORBA::typecode_reference fresh(TypeNode& node) {
    const bool text = is(node, TCKind::tk_string) || is(node, TCKind::tk_wstring);
    const TCKind kind = static_cast<TCKind>(node.kind);
    const bool bounded = (text || is(node, TCKind::tk_fixed)) && node.length;
    if (!node.id && !node.content && !bounded) return cdr::basic_typecode(kind);
    if (has_only_a_name(kind)) return cdr::make_named(kind, node.id, node.name);
    cdr::TypeCodeParts parts;
    parts.kind = kind;
    if (node.id) parts.id = node.id;
    if (node.name) parts.name = node.name;
    set_length(parts, node);
    if (node.content) (kind == TCKind::tk_union ? parts.discriminator : parts.content) = make(*node.content);
    for (std::uint32_t i = 0; i < node.member_count; ++i)
      parts.members.push_back(member(node.members[i], kind == TCKind::tk_value));
    return cdr::make_typecode(std::move(parts));
  }

  static void set_length(cdr::TypeCodeParts& parts, const TypeNode& node) {
    if (is(node, TCKind::tk_value)) {
      parts.modifier = static_cast<CORBA::ValueModifier>(node.length);
    } else if (is(node, TCKind::tk_fixed)) {
      parts.digits = static_cast<std::uint16_t>(node.length);
      parts.scale = static_cast<std::int16_t>(node.default_index);
    } else {
      parts.length = node.length;
      parts.default_index = node.default_index;
    }
  }

  cdr::TypeCodeMember member(const TypeMember& member, bool of_value) {
    cdr::TypeCodeMember made{.name = member.name};
    if (member.type) made.type = make(*member.type);
    if (of_value)
      made.visibility = static_cast<CORBA::Visibility>(member.label);
    else
      made.label = member.label;
    return made;
  }

  cdr::TypesInProgress<const TypeNode*> types_;
};

const CORBA::TypeCode& in(TypeCodeHandle& type) { return *type.type; }
TypeCodeHandle* handle(CORBA::typecode_reference type) {
  return type ? new TypeCodeHandle(std::move(type)) : nullptr;
}

}  // namespace

TypeCodeHandle& handle_of(TypeNode& node) {
  if (TypeCodeHandle* const made = node.made.load(std::memory_order_acquire)) return *made;
  return translating([&]() -> TypeCodeHandle& {
    Making().make(node);
    return *node.made.load(std::memory_order_acquire);
  });
}
TypeCodeHandle* duplicate(TypeCodeHandle* type) {
  if (type) type->count.fetch_add(1, std::memory_order_relaxed);
  return type;
}
void release(TypeCodeHandle* type) {
  if (type && type->count.fetch_sub(1, std::memory_order_acq_rel) == 1) delete type;
}

namespace type_code {

bool equal(TypeCodeHandle& one, TypeCodeHandle& other) {
  return translating([&] { return in(one).equal(other.type); });
}
bool equivalent(TypeCodeHandle& one, TypeCodeHandle& other) {
  return translating([&] { return in(one).equivalent(other.type); });
}
TypeCodeHandle* compact(TypeCodeHandle& type) {
  return translating([&] { return handle(in(type).get_compact_typecode()); });
}
std::uint32_t kind(TypeCodeHandle& type) {
  return translating([&] { return static_cast<std::uint32_t>(in(type).kind()); });
}
const char* id(TypeCodeHandle& type) {
  return translating([&] { return in(type).id().c_str(); });
}
const char* name(TypeCodeHandle& type) {
  return translating([&] { return in(type).name().c_str(); });
}
std::uint32_t member_count(TypeCodeHandle& type) {
  return translating([&] { return in(type).member_count(); });
}
const char* member_name(TypeCodeHandle& type, std::uint32_t index) {
  return translating([&] { return in(type).member_name(index).c_str(); });
}
TypeCodeHandle* member_type(TypeCodeHandle& type, std::uint32_t index) {
  return translating([&] { return handle(in(type).member_type(index)); });
}
AnyHandle* member_label(TypeCodeHandle& type, std::uint32_t index) {
  return translating([&] { return new AnyHandle(in(type).member_label(index)); });
}
TypeCodeHandle* discriminator_type(TypeCodeHandle& type) {
  return translating([&] { return handle(in(type).discriminator_type()); });
}
std::int32_t default_index(TypeCodeHandle& type) {
  return translating([&] { return in(type).default_index(); });
}
std::uint32_t length(TypeCodeHandle& type) {
  return translating([&] { return in(type).length(); });
}
TypeCodeHandle* content_type(TypeCodeHandle& type) {
  return translating([&] { return handle(in(type).content_type()); });
}
std::uint16_t fixed_digits(TypeCodeHandle& type) {
  return translating([&] { return in(type).fixed_digits(); });
}
std::int16_t fixed_scale(TypeCodeHandle& type) {
  return translating([&] { return in(type).fixed_scale(); });
}
std::int16_t member_visibility(TypeCodeHandle& type, std::uint32_t index) {
  return translating([&] { return in(type).member_visibility(index); });
}
std::int16_t type_modifier(TypeCodeHandle& type) {
  return translating([&] { return in(type).type_modifier(); });
}
TypeCodeHandle* concrete_base_type(TypeCodeHandle& type) {
  return translating([&] { return handle(in(type).concrete_base_type()); });
}
void write(Writer& out, TypeCodeHandle* type) {
  if (!type) raise_bad_param("a nil TypeCode was passed");
  translating([&] { cdr::write_typecode(encoder(out), type->type); });
}
TypeCodeHandle* read(Reader& in) {
  return translating([&] { return handle(cdr::read_typecode(decoder(in))); });
}

}  // namespace type_code

}  // namespace takt::classic
