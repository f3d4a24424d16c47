#include "dynamic/any/union_node.h"

#include "dynamic/any/values.h"

namespace takt::dynamic {

namespace {

// A member with several labels is there for each.
bool same_member(const cdr::TypeCodeMember* a, const cdr::TypeCodeMember* b) {
  return a == b || (a && b && !a->name.empty() && a->name == b->name);
}

}  // namespace

CORBA::typecode_reference UnionNode::type_of(const cdr::TypeCodeMember& member) const {
  return actual().member_type(static_cast<std::uint32_t>(&member - actual()._parts().members.data()));
}

void UnionNode::split() {
  split_by([this](cdr::Decoder& in) {
    if (!add_component(in, actual()._parts().discriminator)) return;
    member_ = actual()._member_with_label(label_of(raw_components().front()->value()));
    if (member_) add_component(in, type_of(*member_));
  });
}

void UnionNode::write_open(cdr::Encoder& out) {
  for (const auto& component : raw_components()) component->write(out);
}

// The application may have changed the discriminator through its own reference.
void UnionNode::refresh() {
  if (!is_open()) return;
  Nodes& parts = raw_components();
  const cdr::TypeCodeMember* const selected = actual()._member_with_label(label_of(parts.front()->value()));
  if (same_member(selected, member_)) {
    member_ = selected;
    return;
  }
  std::shared_ptr<Node> initial = selected ? initial_component(type_of(*selected)) : nullptr;
  parts.resize(1);
  if (initial) parts.push_back(std::move(initial));
  member_ = selected;
  if (position() == 1 && !selected) set_position(0);
}

CORBA::object_reference<DynamicAny::DynAny> UnionNode::get_discriminator() {
  check_alive();
  return reference_to(components().front());
}

void UnionNode::set_discriminator(const CORBA::object_reference<DynAny>& discriminator) {
  check_alive();
  components().front()->assign(discriminator);
  set_position(components().size() > 1 ? 1 : 0);
}

void UnionNode::set_label(std::int64_t label) {
  const auto& type = actual()._parts().discriminator;
  components().front()->from_any(retyped(cdr::label_any(type, label), type));
  set_position(0);
  components();
}

void UnionNode::set_to_default_member() {
  check_alive();
  const auto& parts = actual()._parts();
  if (parts.default_index < 0) throw TypeMismatch();
  const auto& wanted = parts.members[static_cast<std::size_t>(parts.default_index)];
  components();
  std::int64_t label = 0;
  if (member_ == &wanted)
    set_position(0);
  else if (find_free_label(actual(), label))
    set_label(label);
  else
    throw TypeMismatch();
}

void UnionNode::set_to_no_active_member() {
  check_alive();
  std::int64_t label = 0;
  if (actual()._parts().default_index >= 0 || !find_free_label(actual(), label)) throw TypeMismatch();
  components();
  if (member_)
    set_label(label);
  else
    set_position(0);
}

bool UnionNode::has_no_active_member() {
  check_alive();
  components();
  return !member_;
}

CORBA::TCKind UnionNode::discriminator_kind() {
  check_alive();
  return behind_aliases(actual()._parts().discriminator)->kind();
}

const cdr::TypeCodeMember& UnionNode::active() {
  check_alive();
  components();
  if (!member_) throw InvalidValue();
  return *member_;
}

CORBA::object_reference<DynamicAny::DynAny> UnionNode::member() {
  active();
  return reference_to(raw_components().back());
}

DynamicAny::FieldName UnionNode::member_name() { return active().name; }

CORBA::TCKind UnionNode::member_kind() { return behind_aliases(type_of(active()))->kind(); }

}  // namespace takt::dynamic
