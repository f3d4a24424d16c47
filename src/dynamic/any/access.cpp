// insert_* and get_* of DynAnys.
#include <takt/cdr/ior.h>
#include <takt/cdr/text_bound.h>

#include "dynamic/any/node.h"
#include "dynamic/any/values.h"

namespace takt::dynamic {

using CORBA::TCKind;

namespace {

bool is_value(TCKind kind) {
  return kind == TCKind::tk_value || kind == TCKind::tk_event || kind == TCKind::tk_value_box;
}

bool is_reference(TCKind kind) {
  return kind == TCKind::tk_objref || kind == TCKind::tk_component || kind == TCKind::tk_home;
}

// The kind that the operations for a type are named after.
TCKind operation_kind(TCKind kind) {
  if (is_value(kind)) return TCKind::tk_value;
  if (is_reference(kind)) return TCKind::tk_objref;
  return kind;
}

// The type that C++ code has for a kind when it extracts a value from an Any.
CORBA::typecode_reference plain_type(TCKind kind) {
  if (kind == TCKind::tk_objref) return IDL::type_code<CORBA::object_reference<CORBA::Object>>();
  if (kind == TCKind::tk_abstract_interface) return CORBA::AbstractBase::_type_code();
  return cdr::basic_typecode(kind);
}

template <class Text>
void check_bound(const CORBA::Any& value, std::uint32_t bound) {
  Text text;
  if (bound != 0 && (!read_as(value, text) || cdr::is_beyond(text, bound)))
    throw DynamicAny::DynAny::InvalidValue();
}

void check_interface(const CORBA::Any& value, const std::string& wanted) {
  cdr::Ior ior;
  cdr::Decoder in(value._content().octets, 0, cdr::any_format());
  if (!cdr::read_ior(in, ior)) throw DynamicAny::DynAny::InvalidValue();
  if (ior.is_nil() || wanted.empty() || ior.type_id == wanted ||
      wanted == CORBA::Object::_interface_repository_id())
    return;
  CORBA::object_reference<CORBA::Object> object;
  if (!(value >>= object) || !object || !object->_is_a(wanted)) throw DynamicAny::DynAny::TypeMismatch();
}

// Requires the exact type, because a value of a derived type would lose its additional state.
void check_value(const CORBA::Any& value, const std::string& wanted) {
  CORBA::valuetype_reference<CORBA::ValueBase> inserted;
  if (!read_as(value, inserted)) throw DynamicAny::DynAny::InvalidValue();
  if (inserted && inserted->_value_type().id() != wanted) throw DynamicAny::DynAny::TypeMismatch();
}

}  // namespace

Node& Node::current() {
  if (!can_have_components()) return *this;
  const Nodes& all = components();  // first: they may have become fewer, which moves the position
  const std::int32_t at = position();
  if (at < 0) throw InvalidValue();
  return *all[static_cast<std::size_t>(at)];
}

Node& Node::target(TCKind wanted) {
  check_alive();
  Node& node = operation_kind(kind()) == wanted ? *this : current();
  if (operation_kind(node.kind()) != wanted) throw TypeMismatch();
  return node;
}

void Node::insert_basic(TCKind kind, const CORBA::Any& value) { target(kind).put(kind, value); }

void Node::put(TCKind kind, const CORBA::Any& value) {
  switch (kind) {
    case TCKind::tk_string:
      check_bound<std::string>(value, actual_->_parts().length);
      break;
    case TCKind::tk_wstring:
      check_bound<std::wstring>(value, actual_->_parts().length);
      break;
    case TCKind::tk_objref:
      check_interface(value, actual_->_parts().id);
      break;
    case TCKind::tk_value:
      check_value(value, actual_->_parts().id);
      break;
    default:
      break;
  }
  set_value(retyped(value, type_, orb_environment()));
}

CORBA::Any Node::extract_basic(TCKind kind) {
  Node& node = target(kind);
  CORBA::Any value = node.value();
  return kind == TCKind::tk_value ? value : retyped(value, plain_type(kind));
}

CORBA::object_reference<DynamicAny::DynAny> Node::get_dyn_any() {
  const CORBA::Any inner = get_any();
  auto whole = std::make_shared<Whole>(inner.type(), whole_->environment);
  return reference_to(make_node({std::move(whole), inner.type(), inner, true}));
}

bool Node::has_elements(TCKind element) const {
  return (kind() == TCKind::tk_sequence || kind() == TCKind::tk_array) &&
         behind_aliases(actual_->content_type())->kind() == element;
}

Node& Node::sequence_target(TCKind element) {
  check_alive();
  if (has_elements(element)) return *this;
  Node& node = current();
  if (!node.has_elements(element)) throw TypeMismatch();
  return node;
}

// A sequence is its length and an array without one.
void Node::insert_sequence(TCKind element, const CORBA::Any& value) {
  Node& node = sequence_target(element);
  cdr::Decoder in(value._content().octets, 0, cdr::any_format());
  const std::uint32_t count = in.get_u32(), length = node.actual_->_parts().length;
  if (node.kind() == TCKind::tk_sequence) {
    if (length != 0 && count > length) throw InvalidValue();
    return node.set_value(retyped(value, node.type_, orb_environment()));
  }
  CORBA::Any elements;
  if (count != length || !cdr::read_any_value(in, node.type_, elements)) throw InvalidValue();
  node.set_value(std::move(elements));
}

CORBA::Any Node::extract_sequence(TCKind element) {
  Node& node = sequence_target(element);
  const auto sequence = cdr::sequence_typecode(cdr::basic_typecode(element));
  if (node.kind() == TCKind::tk_sequence) return retyped(node.value(), sequence);
  return make_any(sequence, nullptr, [&](cdr::Encoder& out) {
    out.put(node.actual_->_parts().length);
    node.write(out);
  });
}

}  // namespace takt::dynamic
