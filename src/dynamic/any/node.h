// A DynAny: an Any that is split when its components are first accessed.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <takt/dynamic/dyn_any.h>

#include "dynamic/any/whole.h"

namespace takt::dynamic {

// Constructor arguments of a node.
struct Part {
  std::shared_ptr<Whole> whole;
  CORBA::typecode_reference type;
  CORBA::Any value;  // a value of `type`
  bool outermost = false;
};

// The value is an Any until components are asked for (closed), and consists of nodes from then on (open).
class Node : public virtual DynamicAny::DynAny, public std::enable_shared_from_this<Node> {
 public:
  explicit Node(Part part);

  CORBA::typecode_reference type() override;
  void assign(const CORBA::object_reference<DynAny>& other) override;
  void from_any(const CORBA::Any& value) override;
  CORBA::Any to_any() override;
  bool equal(const CORBA::object_reference<DynAny>& other) override;
  void destroy() override;
  CORBA::object_reference<DynAny> copy() override;
  bool seek(std::int32_t index) override;
  bool next() override;
  std::uint32_t component_count() override;
  CORBA::object_reference<DynAny> current_component() override;
  CORBA::object_reference<DynAny> get_dyn_any() override;

  // The type without aliases.
  const CORBA::TypeCode& actual() const { return *actual_; }
  CORBA::TCKind kind() const { return actual_->_parts().kind; }
  CORBA::Any value();
  void write(cdr::Encoder& out);
  const std::vector<std::shared_ptr<Node>>& components();

 protected:
  using Nodes = std::vector<std::shared_ptr<Node>>;

  // Whether the type can have components; those of a value that is null or empty may come yet.
  virtual bool can_have_components() const { return false; }
  // Makes the components of the closed value; throws InvalidValue if it has none of its type.
  virtual void split() {}
  // The number of components. Does not make them if the closed value tells it.
  virtual std::size_t count() { return components().size(); }
  virtual void write_open(cdr::Encoder&) {}
  // A component may have been changed from outside.
  virtual void refresh() {}

  void check_alive() const;
  cdr::Environment* orb_environment() const { return whole_->environment.get(); }
  const CORBA::typecode_reference& actual_type() const { return actual_; }
  // Closes the node; the position is the first component.
  void set_value(CORBA::Any value);
  // Opens the node; the position is the first component.
  void set_components(Nodes components);
  Nodes& raw_components() { return components_; }
  bool is_open() const { return open_; }
  const std::vector<std::uint8_t>& closed_octets() const { return value_._content().octets; }
  std::int32_t position();
  void set_position(std::int32_t position) { position_ = position; }
  // Makes a component with a value of an equivalent type. Throws TypeMismatch for other types.
  std::shared_ptr<Node> component_of(const CORBA::typecode_reference& type, const CORBA::Any& value) const;
  std::shared_ptr<Node> initial_component(const CORBA::typecode_reference& type) const {
    return initial_components(type, 1).front();
  }
  // They share one initial value, which is made once.
  Nodes initial_components(const CORBA::typecode_reference& type, std::size_t count) const;
  // Reads the next component. Returns false if the decoder has failed. Throws IMP_LIMIT beyond
  // most_components.
  bool add_component(cdr::Decoder& in, const CORBA::typecode_reference& type);
  // Splits by `read`, which adds components from a decoder.
  template <class Read>
  void split_by(Read read);
  CORBA::object_reference<DynAny> reference_to(const std::shared_ptr<Node>& node) const {
    return CORBA::object_reference<DynAny>(node);
  }

 private:
  void insert_basic(CORBA::TCKind kind, const CORBA::Any& value) override;
  CORBA::Any extract_basic(CORBA::TCKind kind) override;
  void insert_sequence(CORBA::TCKind element, const CORBA::Any& value) override;
  CORBA::Any extract_sequence(CORBA::TCKind element) override;

  Node& current();
  Node& target(CORBA::TCKind kind);
  Node& sequence_target(CORBA::TCKind element);
  bool has_elements(CORBA::TCKind element) const;
  void put(CORBA::TCKind kind, const CORBA::Any& value);

  static constexpr std::int32_t first = -2;  // 0, or -1 where there are no components

  const std::shared_ptr<Whole> whole_;
  const CORBA::typecode_reference type_, actual_;
  const bool outermost_;
  bool open_ = false;
  std::int32_t position_ = first;
  CORBA::Any value_;  // while closed
  Nodes components_;  // while open
};

template <class Read>
void Node::split_by(Read read) {
  const CORBA::Any value = value_;
  const cdr::AnyContent& content = value._content();
  cdr::Environment* const environment = value._environment() ? value._environment() : orb_environment();
  cdr::Decoder in(content.octets, 0, cdr::any_format(environment));
  if (!content.values.empty()) {
    cdr::join_message(in, content);
    cdr::take_values_from(in, content.values);
  }
  read(in);
  if (!in.ok()) throw DynamicAny::DynAny::InvalidValue();
}

// Makes the node for a type. Throws InconsistentTypeCode for kinds that no DynAny can have.
std::shared_ptr<Node> make_node(Part part);
// Every DynAny is a Node. Throws BAD_PARAM for nil.
Node& node_of(const CORBA::object_reference<DynamicAny::DynAny>& dyn_any);

}  // namespace takt::dynamic
