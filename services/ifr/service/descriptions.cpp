#include "ifr/service/descriptions.h"

#include <utility>

#include <takt/corba.h>

#include "ifr/service/search.h"
#include "ifr/store/details_octets.h"

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
  return described<R::OperationDescription>(
      core, definition, types.of(details.type()),
      details.mode() ? R::OperationMode::OP_ONEWAY : R::OperationMode::OP_NORMAL, details.contexts(),
      parameters(core, types, definition), exceptions(core, types, details.raised()));
}

R::AttributeMode mode_of(const Definition& attribute) {
  return attribute.details.mode() ? R::AttributeMode::ATTR_READONLY : R::AttributeMode::ATTR_NORMAL;
}

void add_attribute(Core& core, TypeCodes& types, const Definition& definition, R::AttrDescriptionSeq& to) {
  to.push_back(described<R::AttributeDescription>(core, definition, types.of(definition.details.type()),
                                                  mode_of(definition)));
}
void add_attribute(Core& core, TypeCodes& types, const Definition& definition, R::ExtAttrDescriptionSeq& to) {
  to.push_back(described<R::ExtAttributeDescription>(
      core, definition, types.of(definition.details.type()), mode_of(definition),
      exceptions(core, types, definition.details.raised()),
      exceptions(core, types, definition.details.more.on_set())));
}

R::ValueMember value_member(Core& core, TypeCodes& types, const Definition& definition) {
  return described<R::ValueMember>(core, definition, types.of(definition.details.type()),
                                   core.type(definition), definition.details.mode());
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
  const Self self{.kind = definition.kind, .type = {}, .definition = definition, .place = {}};
  for (const Entry& entry : contents(core, self, Kind::dk_all, false)) {
    if (entry.kind != Kind::dk_Operation && entry.kind != Kind::dk_Attribute) continue;
    const Definition feature = core.definition(entry.number);
    types.count(octets_of(feature.details).size());
    if (entry.kind == Kind::dk_Operation)
      full.operations().push_back(operation(core, types, feature));
    else
      add_attribute(core, types, feature, full.attributes());
  }
}

// The members whose types are at `slot` and after it in the definition's details.
R::StructMemberSeq members_at(Core& core, TypeCodes& types, const Definition& definition,
                              const Members& members, std::size_t& slot) {
  R::StructMemberSeq all;
  for (const Member& member : members)
    all.emplace_back(member.name(), types.of(member.type()), core.type(definition, slot++));
  return all;
}

// Fills what descriptions of interfaces have with and without the exceptions of attributes.
template <class Full>
Full full_interface(Core& core, const Definition& definition) {
  TypeCodes types = core.shown_types();
  Full full;
  full.name(definition.name);
  full.id(definition.id);
  full.defined_in(core.id_of(definition.container));
  full.version(definition.version);
  full.base_interfaces(ids_of(core, definition.details.bases()));
  full.type(types.of(definition));
  add_features(core, types, definition, full);
  return full;
}

// The same of values, but for their initializers.
template <class Full>
Full full_value(Core& core, TypeCodes& types, const Definition& definition) {
  R::ValueDescription head = value(core, definition);
  Full full;
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
  full.type(types.of(definition));
  add_features(core, types, definition, full);
  const Self self{.kind = definition.kind, .type = {}, .definition = definition, .place = {}};
  for (const Entry& entry : contents(core, self, Kind::dk_ValueMember, true))
    full.members().push_back(value_member(core, types, core.definition(entry.number)));
  return full;
}

}  // namespace

R::ExcDescriptionSeq exceptions(Core& core, TypeCodes& types, const std::vector<Number>& numbers) {
  R::ExcDescriptionSeq all;
  for (const Number number : numbers) {
    const Definition raised = core.definition(number);
    all.push_back(described<R::ExceptionDescription>(core, raised, types.of(raised)));
  }
  return all;
}

R::StructMemberSeq struct_members(Core& core, TypeCodes& types, const Definition& definition) {
  std::size_t slot = 1;
  return members_at(core, types, definition, definition.details.members(), slot);
}

R::UnionMemberSeq union_members(Core& core, TypeCodes& types, const Definition& definition) {
  const auto type = types.of(definition);
  R::UnionMemberSeq all;
  std::uint32_t index = 0;
  for (const Member& member : definition.details.members()) {
    all.emplace_back(member.name(), type->member_label(index), types.counted(type->member_type(index)),
                     core.type(definition, index + 1));
    ++index;
  }
  return all;
}

R::ParDescriptionSeq parameters(Core& core, TypeCodes& types, const Definition& definition) {
  R::ParDescriptionSeq all;
  std::size_t slot = 1;
  for (const Member& member : definition.details.members())
    all.emplace_back(member.name(), types.of(member.type()), core.type(definition, slot++),
                     static_cast<R::ParameterMode>(member.mode()));
  return all;
}

R::InitializerSeq initializers(Core& core, TypeCodes& types, const Definition& value) {
  R::InitializerSeq all;
  std::size_t slot = 1 + value.details.members().size();
  for (const auto& one : value.details.initializers())
    all.emplace_back(members_at(core, types, value, one.members(), slot), one.name());
  return all;
}

R::ExtInitializerSeq ext_initializers(Core& core, TypeCodes& types, const Definition& value) {
  R::ExtInitializerSeq all;
  const auto& raised = value.details.more.of_initializers();
  for (auto& plain : initializers(core, types, value)) {
    const std::size_t index = all.size();
    all.emplace_back(std::move(plain.members()),
                     exceptions(core, types, index < raised.size() ? raised[index] : std::vector<Number>()),
                     std::move(plain.name()));
  }
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
    case Kind::dk_Attribute: {
      R::AttrDescriptionSeq one;
      add_attribute(core, types, definition, one);
      return any_of(std::move(one.front()));
    }
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
  return full_interface<R::InterfaceDef::FullInterfaceDescription>(core, definition);
}
R::InterfaceAttrExtension::ExtFullInterfaceDescription describe_ext_interface(Core& core,
                                                                              const Definition& definition) {
  return full_interface<R::InterfaceAttrExtension::ExtFullInterfaceDescription>(core, definition);
}

R::ValueDef::FullValueDescription describe_value(Core& core, const Definition& definition) {
  TypeCodes types = core.shown_types();
  auto full = full_value<R::ValueDef::FullValueDescription>(core, types, definition);
  full.initializers(initializers(core, types, definition));
  return full;
}
R::ExtValueDef::ExtFullValueDescription describe_ext_value(Core& core, const Definition& definition) {
  TypeCodes types = core.shown_types();
  auto full = full_value<R::ExtValueDef::ExtFullValueDescription>(core, types, definition);
  full.initializers(ext_initializers(core, types, definition));
  return full;
}

R::ExtAttributeDescription describe_ext_attribute(Core& core, const Definition& definition) {
  TypeCodes types = core.shown_types();
  R::ExtAttrDescriptionSeq one;
  add_attribute(core, types, definition, one);
  return std::move(one.front());
}

CORBA::typecode_reference type_of(Core& core, const Self& self) {
  TypeCodes types = core.shown_types();
  if (!self.type.empty()) return types.of(self.type);
  const Kind kind = self.definition.kind;
  const bool has_type_def =
      kind == Kind::dk_Constant || kind == Kind::dk_Attribute || kind == Kind::dk_ValueMember;
  return has_type_def ? types.of(self.definition.details.type()) : types.of(self.definition);
}

}  // namespace takt::ifr
