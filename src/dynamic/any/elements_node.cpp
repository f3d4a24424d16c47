#include "dynamic/any/elements_node.h"

#include "dynamic/any/values.h"

namespace takt::dynamic {

ElementsNode::ElementsNode(Part part) : Node(std::move(part)), element_(actual().content_type()) {}

// An array has a fixed number of elements; a sequence has at most its bound.
void ElementsNode::check_count(std::size_t count) const {
  const std::uint32_t length = actual()._parts().length;
  if (is_sequence() ? length != 0 && count > length : count != length) throw InvalidValue();
}

DynamicAny::AnySeq ElementsNode::get_elements() {
  check_alive();
  DynamicAny::AnySeq all;
  for (const auto& component : components()) all.push_back(component->value());
  return all;
}

DynamicAny::DynAnySeq ElementsNode::get_elements_as_dyn_any() {
  check_alive();
  DynamicAny::DynAnySeq all;
  for (const auto& component : components()) all.push_back(reference_to(component));
  return all;
}

void ElementsNode::set_elements(const DynamicAny::AnySeq& elements) {
  check_alive();
  check_count(elements.size());
  Nodes components;
  for (const CORBA::Any& element : elements) components.push_back(component_of(element_, element));
  set_components(std::move(components));
}

void ElementsNode::set_elements_as_dyn_any(const DynamicAny::DynAnySeq& elements) {
  DynamicAny::AnySeq values;
  for (const auto& element : elements) values.push_back(node_of(element).to_any());
  set_elements(values);
}

void ElementsNode::split() {
  split_by([this](cdr::Decoder& in) {
    const std::uint32_t count = is_sequence() ? in.get_u32() : actual()._parts().length;
    for (std::uint32_t i = 0; i < count && in.ok(); ++i) add_component(in, element_);
  });
}

std::size_t ElementsNode::count() {
  if (is_open()) return Node::count();
  if (!is_sequence()) return actual()._parts().length;
  cdr::Decoder in(closed_octets(), 0, cdr::any_format());
  const std::uint32_t length = in.get_u32();
  if (!in.ok()) throw InvalidValue();
  return length;
}

void ElementsNode::write_open(cdr::Encoder& out) {
  if (is_sequence()) out.put_count(raw_components().size());
  for (const auto& component : raw_components()) component->write(out);
}

void SequenceNode::set_length(std::uint32_t length) {
  check_alive();
  check_count(length);
  if (length > most_components)
    throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO, "a DynAny has more than a million components");
  const std::int32_t at = position();
  const auto before = static_cast<std::uint32_t>(components().size());
  Nodes& elements = raw_components();
  Nodes added;
  if (before < length) added = initial_components(element_type(), length - before);
  elements.resize(std::min(before, length));
  std::move(added.begin(), added.end(), std::back_inserter(elements));
  if (at < 0 && length > before)
    set_position(static_cast<std::int32_t>(before));
  else if (at >= 0 && static_cast<std::uint32_t>(at) >= length)
    set_position(-1);
}

}  // namespace takt::dynamic
