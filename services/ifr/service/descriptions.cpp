#include "ifr/service/descriptions.h"

#include <utility>

#include <takt/corba.h>

#include "ifr/service/search.h"

namespace takt::ifr {
namespace {

// Makes a description that begins {name, id, defined_in, version}.
template <class Description, class... Rest>
Description described(Core& core, const Definition& definition, Rest&&... rest) {
  return Description(definition.name, definition.id, core.id_of(definition.container), definition.version,
                     std::forward<Rest>(rest)...);
}

template <class Description>
CORBA::Any any_of(Description description) {
  CORBA::Any any;
  any <<= std::move(description);
  return any;
}

R::RepositoryIdSeq ids_of(Core& core, const std::vector<Number>& numbers) {
  R::RepositoryIdSeq ids;
  for (const Number number : numbers) ids.push_back(core.id_of(number));
  return ids;
}

R::OperationDescription operation(Core& core, TypeCodes& types, const Definition& definition) {
  const Details& details = definition.details;
  R::ExcDescriptionSeq exceptions;
  for (const Number number : details.raised()) {
    const Definition raised = core.definition(number);
    exceptions.push_back(described<R::ExceptionDescription>(core, raised, types.of(raised)));
  }
  return described<R::OperationDescription>(
      core, definition, types.of(details.type()),
      details.mode() ? R::OperationMode::OP_ONEWAY : R::OperationMode::OP_NORMAL, details.contexts(),
      parameters(core, types, details.members()), std::move(exceptions));
}

R::AttributeDescription attribute(Core& core, TypeCodes& types, const Definition& definition) {
  return described<R::AttributeDescription>(
      core, definition, types.of(definition.details.type()),
      definition.details.mode() ? R::AttributeMode::ATTR_READONLY : R::AttributeMode::ATTR_NORMAL);
}

R::ValueMember value_member(Core& core, TypeCodes& types, const Definition& definition) {
  return described<R::ValueMember>(core, definition, types.of(definition.details.type()),
                                   core.type(definition.details.type()), definition.details.mode());
}

R::ValueDescription value(Core& core, const Definition& definition) {
  const Details& details = definition.details;
  return R::ValueDescription(definition.name, definition.id, details.is_abstract(), details.is_custom(),
                             core.id_of(definition.container), definition.version,
                             ids_of(core, details.supported()), ids_of(core, details.bases()),
                             details.is_truncatable(), core.id_of(details.base()));
}

// Adds the attributes and operations of an interface or value, with inherited ones.
template <class Full>
void add_features(Core& core, TypeCodes& types, const Definition& definition, Full& full) {
  const Self self{definition.kind, {}, definition};
  for (const Entry& entry : contents(core, self, Kind::dk_all, false)) {
    if (entry.kind == Kind::dk_Operation)
      full.operations().push_back(operation(core, types, core.definition(entry.number)));
    else if (entry.kind == Kind::dk_Attribute)
      full.attributes().push_back(attribute(core, types, core.definition(entry.number)));
  }
}

}  // namespace

R::StructMemberSeq struct_members(Core& core, TypeCodes& types, const Members& members) {
  R::StructMemberSeq all;
  for (const Member& member : members)
    all.emplace_back(member.name(), types.of(member.type()), core.type(member.type()));
  return all;
}

R::UnionMemberSeq union_members(Core& core, const CORBA::typecode_reference& type, const Members& members) {
  R::UnionMemberSeq all;
  std::uint32_t index = 0;
  for (const Member& member : members) {
    all.emplace_back(member.name(), type->member_label(index), type->member_type(index),
                     core.type(member.type()));
    ++index;
  }
  return all;
}

R::ParDescriptionSeq parameters(Core& core, TypeCodes& types, const Members& members) {
  R::ParDescriptionSeq all;
  for (const Member& member : members)
    all.emplace_back(member.name(), types.of(member.type()), core.type(member.type()),
                     static_cast<R::ParameterMode>(member.mode()));
  return all;
}

R::InitializerSeq initializers(Core& core, TypeCodes& types, const Definition& value) {
  R::InitializerSeq all;
  for (const auto& one : value.details.initializers())
    all.emplace_back(struct_members(core, types, one.members()), one.name());
  return all;
}

CORBA::Any describe(Core& core, TypeCodes& types, const Definition& definition) {
  switch (definition.kind) {
    case Kind::dk_Module:
      return any_of(described<R::ModuleDescription>(core, definition));
    case Kind::dk_Constant:
      return any_of(described<R::ConstantDescription>(core, definition, types.of(definition.details.type()),
                                                      definition.details.value()));
    case Kind::dk_Exception:
      return any_of(described<R::ExceptionDescription>(core, definition, types.of(definition)));
    case Kind::dk_Attribute:
      return any_of(attribute(core, types, definition));
    case Kind::dk_Operation:
      return any_of(operation(core, types, definition));
    case Kind::dk_ValueMember:
      return any_of(value_member(core, types, definition));
    case Kind::dk_Value:
      return any_of(value(core, definition));
    case Kind::dk_Interface:
    case Kind::dk_AbstractInterface:
    case Kind::dk_LocalInterface:
      return any_of(
          described<R::InterfaceDescription>(core, definition, ids_of(core, definition.details.bases())));
    default:
      return any_of(described<R::TypeDescription>(core, definition, types.of(definition)));
  }
}

R::InterfaceDef::FullInterfaceDescription describe_interface(Core& core, const Definition& definition) {
  TypeCodes types = core.type_codes();
  R::InterfaceDef::FullInterfaceDescription full;
  full.name(definition.name);
  full.id(definition.id);
  full.defined_in(core.id_of(definition.container));
  full.version(definition.version);
  full.base_interfaces(ids_of(core, definition.details.bases()));
  full.type(types.of(definition));
  add_features(core, types, definition, full);
  return full;
}

R::ValueDef::FullValueDescription describe_value(Core& core, const Definition& definition) {
  TypeCodes types = core.type_codes();
  const R::ValueDescription head = value(core, definition);
  R::ValueDef::FullValueDescription full;
  full.name(head.name());
  full.id(head.id());
  full.is_abstract(head.is_abstract());
  full.is_custom(head.is_custom());
  full.defined_in(head.defined_in());
  full.version(head.version());
  full.supported_interfaces(head.supported_interfaces());
  full.abstract_base_values(head.abstract_base_values());
  full.is_truncatable(head.is_truncatable());
  full.base_value(head.base_value());
  full.initializers(initializers(core, types, definition));
  full.type(types.of(definition));
  add_features(core, types, definition, full);
  const Self self{definition.kind, {}, definition};
  for (const Entry& entry : contents(core, self, Kind::dk_ValueMember, true))
    full.members().push_back(value_member(core, types, core.definition(entry.number)));
  return full;
}

CORBA::typecode_reference type_of(Core& core, const Self& self) {
  TypeCodes types = core.type_codes();
  if (!self.type.empty()) return types.of(self.type);
  const Kind kind = self.definition.kind;
  const bool has_type_def =
      kind == Kind::dk_Constant || kind == Kind::dk_Attribute || kind == Kind::dk_ValueMember;
  return has_type_def ? types.of(self.definition.details.type()) : types.of(self.definition);
}

}  // namespace takt::ifr
