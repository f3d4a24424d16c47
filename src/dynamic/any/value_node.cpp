// DynValue: a value's members are read out of its state, and make another value when they are changed.
#include "cdr/values/collected_state.h"
#include "cdr/values/opaque_value.h"
#include "dynamic/any/members_node.h"
#include "dynamic/any/values.h"

namespace takt::dynamic {

using Value = CORBA::valuetype_reference<CORBA::ValueBase>;

namespace {

constexpr std::size_t most_bases = 200;

// The members of its base come first.
std::vector<Member> members_with_inherited(const CORBA::typecode_reference& of) {
  std::vector<CORBA::typecode_reference> types{of};
  while (const auto base = types.back()->concrete_base_type()) {
    if (types.size() == most_bases)
      throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO, "a valuetype with too many bases");
    types.push_back(behind_aliases(base));
  }
  std::vector<Member> members;
  for (auto type = types.rbegin(); type != types.rend(); ++type)
    for (std::uint32_t i = 0; i < (*type)->member_count(); ++i)
      members.push_back({(*type)->member_name(i), (*type)->member_type(i)});
  return members;
}

void check(cdr::Error error) {
  if (error != cdr::Error::none) cdr::throw_not_encoded(error, "a value's members could not be had");
}

}  // namespace

ValueNode::ValueNode(Part part)
    : MembersNode(part, part.whole->members_of(behind_aliases(part.type), members_with_inherited)) {}

bool ValueNode::is_null() {
  check_alive();
  if (is_open()) return null_;
  Value value;
  return !read_as(Node::value(), value) || !value;
}

void ValueNode::set_to_null() {
  check_alive();
  set_value(initial_value(type(), orb_environment()));
}

void ValueNode::set_to_value() {
  if (!is_null()) return;
  if (actual()._parts().modifier == CORBA::VM_ABSTRACT) throw TypeMismatch();
  Nodes initial;
  for (const Member& member : members()) initial.push_back(initial_component(member.type));
  set_components(std::move(initial));
  null_ = false;
  original_ = nullptr;
}

void ValueNode::require_members() {
  if (is_null()) throw InvalidValue();
}

void ValueNode::split() {
  Value value;
  if (!read_as(Node::value(), value)) throw InvalidValue();
  original_ = value;
  null_ = !value;
  if (null_) return;
  if (value->_value_type().custom)
    throw CORBA::NO_IMPLEMENT(0, CORBA::COMPLETED_NO, "a value that marshals itself has no components");
  const cdr::CollectedState state(*value, cdr::CollectedState::Anys::whole);
  check(state.error);
  cdr::Environment* const environment = state.environment ? state.environment : orb_environment();
  cdr::Decoder in({state.octets.owned(), state.octets.owned_size()}, 0, cdr::any_format(environment));
  cdr::take_values_from(in, state.values);
  add_members(in);
  if (!in.ok()) throw InvalidValue();
}

void ValueNode::write_open(cdr::Encoder& out) {
  if (null_) return cdr::write_value(out, nullptr);
  GatherBuffer octets(128);
  cdr::Encoder state(octets, cdr::any_format(orb_environment()));
  state.set_borrowing(false);
  cdr::ValueTable values;
  cdr::collect_values(state, values);
  write_members(state);
  check(state.error());
  const ByteView ours(octets.owned(), octets.owned_size());
  if (original_) {
    const cdr::CollectedState before(*original_, cdr::CollectedState::Anys::whole);
    const ByteView theirs(before.octets.owned(), before.octets.owned_size());
    // A value of a derived type has more state, which follows that of ours.
    const bool same = ours.size() <= theirs.size() && values.size() <= before.values.size() &&
                      std::equal(ours.begin(), ours.end(), theirs.begin()) &&
                      std::equal(values.begin(), values.end(), before.values.begin());
    if (same) return cdr::write_value(out, original_.shared());
  }
  const auto changed = std::make_shared<cdr::OpaqueValue>(actual_type());
  cdr::Decoder in(ours, 0, cdr::any_format(orb_environment()));
  cdr::take_values_from(in, values);
  changed->_read_state(in);
  check(in.error());
  cdr::write_value(out, changed);
}

}  // namespace takt::dynamic
