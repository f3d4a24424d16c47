#include "dynamic/any/node.h"

#include "dynamic/any/values.h"

namespace takt::dynamic {

using CORBA::TCKind;

Node::Node(Part part)
    : whole_(std::move(part.whole)),
      type_(std::move(part.type)),
      actual_(whole_->kept(behind_aliases(type_))),
      outermost_(part.outermost),
      value_(std::move(part.value)) {}

void Node::check_alive() const {
  if (whole_->destroyed)
    throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO,
                                  "the DynAny, or the one that it is a part of, has been destroyed");
}

CORBA::typecode_reference Node::type() {
  check_alive();
  return type_;
}

void Node::assign(const CORBA::object_reference<DynAny>& other) {
  check_alive();
  if (!type_->equivalent(other->type())) throw TypeMismatch();
  set_value(retyped(other->to_any(), type_, orb_environment()));
}

void Node::from_any(const CORBA::Any& value) {
  check_alive();
  if (!type_->equivalent(value.type())) throw TypeMismatch();
  set_value(retyped(value, type_, orb_environment()));
}

CORBA::Any Node::to_any() {
  check_alive();
  return value();
}

CORBA::Any Node::value() {
  if (!open_) return value_;
  return make_any(type_, orb_environment(), [this](cdr::Encoder& out) { write(out); });
}

void Node::write(cdr::Encoder& out) {
  if (!open_) return cdr::write_any_value(out, value_);
  refresh();
  write_open(out);
}

void Node::destroy() {
  check_alive();
  if (outermost_) whole_->destroyed = true;
}

CORBA::object_reference<DynamicAny::DynAny> Node::copy() {
  check_alive();
  auto whole = std::make_shared<Whole>(type_, whole_->environment);
  return reference_to(make_node({std::move(whole), type_, value(), true}));
}

const Node::Nodes& Node::components() {
  if (!open_ && can_have_components()) {
    try {
      split();
    } catch (...) {
      components_.clear();
      throw;
    }
    open_ = true;
    value_ = {};
  }
  refresh();
  return components_;
}

void Node::set_value(CORBA::Any value) {
  value_ = std::move(value);
  components_.clear();
  open_ = false;
  position_ = first;
}

void Node::set_components(Nodes components) {
  components_ = std::move(components);
  value_ = {};
  open_ = true;
  position_ = first;
}

std::int32_t Node::position() {
  if (position_ == first) position_ = components().empty() ? -1 : 0;
  return position_;
}

bool Node::seek(std::int32_t index) {
  check_alive();
  const bool there = index >= 0 && static_cast<std::size_t>(index) < count();
  position_ = there ? index : -1;
  return there;
}

bool Node::next() { return seek(position() + 1); }

std::uint32_t Node::component_count() {
  check_alive();
  return static_cast<std::uint32_t>(count());
}

CORBA::object_reference<DynamicAny::DynAny> Node::current_component() {
  check_alive();
  if (!can_have_components()) throw TypeMismatch();
  const Nodes& all = components();  // first: they may have become fewer, which moves the position
  const std::int32_t at = position();
  if (at < 0) return {};
  return reference_to(all[static_cast<std::size_t>(at)]);
}

std::shared_ptr<Node> Node::component_of(const CORBA::typecode_reference& type,
                                         const CORBA::Any& value) const {
  if (!type->equivalent(value.type())) throw TypeMismatch();
  const auto kept = whole_->kept(type);
  return make_node({whole_, kept, retyped(value, kept, orb_environment())});
}

Node::Nodes Node::initial_components(const CORBA::typecode_reference& type, std::size_t count) const {
  const auto kept = whole_->kept(type);
  const CORBA::Any initial = initial_value(kept, orb_environment());
  Nodes made;
  while (made.size() < count) made.push_back(make_node({whole_, kept, initial}));
  return made;
}

bool Node::add_component(cdr::Decoder& in, const CORBA::typecode_reference& type) {
  if (components_.size() >= most_components)
    throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO, "a DynAny has more than a million components");
  const auto kept = whole_->kept(type);
  CORBA::Any value;
  if (!cdr::read_any_value(in, kept, value)) return false;
  components_.push_back(make_node({whole_, kept, std::move(value)}));
  return true;
}

Node& node_of(const CORBA::object_reference<DynamicAny::DynAny>& dyn_any) {
  auto* const node = dynamic_cast<Node*>(dyn_any.get());
  if (!node) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "a nil DynAny");
  return *node;
}

}  // namespace takt::dynamic
