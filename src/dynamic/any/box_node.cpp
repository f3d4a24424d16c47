#include "dynamic/any/box_node.h"

#include "cdr/values/collected_state.h"
#include "cdr/values/opaque_value.h"
#include "dynamic/any/values.h"

namespace takt::dynamic {

bool BoxNode::is_null() {
  check_alive();
  return components().empty();
}

void BoxNode::set_to_null() {
  check_alive();
  set_value(initial_value(type(), orb_environment()));
}

void BoxNode::set_to_value() {
  if (!is_null()) return;
  set_components({initial_component(actual().content_type())});
  original_ = nullptr;
}

Node& BoxNode::boxed() {
  if (is_null()) throw InvalidValue();
  return *components().front();
}

CORBA::Any BoxNode::get_boxed_value() { return boxed().value(); }

void BoxNode::set_boxed_value(const CORBA::Any& value) {
  check_alive();
  set_components({component_of(actual().content_type(), value)});
  original_ = nullptr;
}

CORBA::object_reference<DynamicAny::DynAny> BoxNode::get_boxed_value_as_dyn_any() {
  return reference_to(boxed().shared_from_this());
}

void BoxNode::set_boxed_value_as_dyn_any(const CORBA::object_reference<DynAny>& value) {
  set_boxed_value(node_of(value).to_any());
}

void BoxNode::split() {
  CORBA::valuetype_reference<CORBA::ValueBase> value;
  if (!read_as(Node::value(), value)) throw InvalidValue();
  original_ = value;
  if (!value) return;
  const cdr::CollectedState state(*value, cdr::CollectedState::Anys::whole);
  cdr::Environment* const environment = state.environment ? state.environment : orb_environment();
  cdr::Decoder in({state.octets.owned(), state.octets.owned_size()}, 0, cdr::any_format(environment));
  cdr::take_values_from(in, state.values);
  if (state.error != cdr::Error::none || !add_component(in, actual().content_type())) throw InvalidValue();
}

void BoxNode::write_open(cdr::Encoder& out) {
  if (raw_components().empty()) return cdr::write_value(out, nullptr);
  const CORBA::Any content = raw_components().front()->value();
  const cdr::AnyContent& inside = content._content();
  if (original_) {
    const cdr::CollectedState before(*original_, cdr::CollectedState::Anys::whole);
    const ByteView octets(before.octets.owned(), before.octets.owned_size());
    if (std::equal(octets.begin(), octets.end(), inside.octets.begin(), inside.octets.end()) &&
        before.values == inside.values)
      return cdr::write_value(out, original_.shared());
  }
  const auto changed = std::make_shared<cdr::OpaqueValue>(actual_type());
  cdr::Decoder in(inside.octets, 0, cdr::any_format(orb_environment()));
  cdr::take_values_from(in, inside.values);
  if (!changed->_read_state(in)) cdr::throw_not_encoded(in.error(), "a boxed value could not be encoded");
  cdr::write_value(out, changed);
}

}  // namespace takt::dynamic
