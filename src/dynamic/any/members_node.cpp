#include "dynamic/any/members_node.h"

#include "dynamic/any/values.h"

namespace takt::dynamic {

const Member& MembersNode::current_member() {
  check_alive();
  if (members_->empty()) throw TypeMismatch();
  const std::int32_t at = position();
  if (at < 0) throw InvalidValue();
  return members()[static_cast<std::size_t>(at)];
}

DynamicAny::FieldName MembersNode::current_member_name() { return current_member().name; }

CORBA::TCKind MembersNode::current_member_kind() { return behind_aliases(current_member().type)->kind(); }

DynamicAny::NameValuePairSeq MembersNode::get_members() {
  check_alive();
  require_members();
  DynamicAny::NameValuePairSeq all;
  for (std::size_t i = 0; const auto& component : components())
    all.emplace_back(members()[i++].name, component->value());
  return all;
}

DynamicAny::NameDynAnyPairSeq MembersNode::get_members_as_dyn_any() {
  check_alive();
  require_members();
  DynamicAny::NameDynAnyPairSeq all;
  for (std::size_t i = 0; const auto& component : components())
    all.emplace_back(members()[i++].name, reference_to(component));
  return all;
}

void MembersNode::set_members(const DynamicAny::NameValuePairSeq& values) {
  check_alive();
  if (values.size() != members().size()) throw InvalidValue();
  Nodes components;
  for (std::size_t i = 0; const auto& member : values) {
    const Member& wanted = members()[i++];
    if (!member.id().empty() && member.id() != wanted.name) throw TypeMismatch();
    components.push_back(component_of(wanted.type, member.value()));
  }
  set_components(std::move(components));
  members_set();
}

void MembersNode::set_members_as_dyn_any(const DynamicAny::NameDynAnyPairSeq& members) {
  DynamicAny::NameValuePairSeq values;
  for (const auto& member : members) values.emplace_back(member.id(), node_of(member.value()).to_any());
  set_members(values);
}

bool MembersNode::add_members(cdr::Decoder& in) {
  for (const Member& member : members())
    if (!add_component(in, member.type)) return false;
  return true;
}

void MembersNode::write_members(cdr::Encoder& out) {
  for (const auto& component : raw_components()) component->write(out);
}

namespace {

std::vector<Member> own_members(const CORBA::typecode_reference& type) {
  std::vector<Member> members;
  for (std::uint32_t i = 0; i < type->_parts().members.size(); ++i)
    members.push_back({type->member_name(i), type->member_type(i)});
  return members;
}

MemberList members_of(const Part& part) {
  return part.whole->members_of(behind_aliases(part.type), own_members);
}

}  // namespace

StructNode::StructNode(Part part) : MembersNode(part, members_of(part)) {}

void StructNode::split() {
  split_by([this](cdr::Decoder& in) {
    if (kind() == CORBA::TCKind::tk_except) in.get_raw_string_view();
    add_members(in);
  });
}

void StructNode::write_open(cdr::Encoder& out) {
  if (kind() == CORBA::TCKind::tk_except) out.put_raw_string(actual()._parts().id);
  write_members(out);
}

}  // namespace takt::dynamic
