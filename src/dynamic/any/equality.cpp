// Whether two DynAnys have the same value, wherever their positions are.
#include <algorithm>

#include <takt/cdr/stack.h>

#include "dynamic/any/node.h"
#include "dynamic/any/values.h"

namespace takt::dynamic {

using CORBA::TCKind;

namespace {

bool same_value(Node& a, Node& b);

// As messages have it, values with their state.
std::vector<std::uint8_t> octets_of(Node& node) {
  return encoded(nullptr, [&](cdr::Encoder& out) { node.write(out); });
}

bool same_anys(Node& a, Node& b) {
  CORBA::Any left, right;
  if (!read_as(a.value(), left) || !read_as(b.value(), right)) return false;
  if (!left.type()->equivalent(right.type())) return false;
  if (cdr::stack_is_short())
    throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO, "Anys that are nested too deep to be compared");
  const auto whole = std::make_shared<Whole>();
  return same_value(*make_node({whole, left.type(), left}), *make_node({whole, right.type(), right}));
}

bool same_types(Node& a, Node& b) {
  CORBA::typecode_reference left, right;
  return read_as(a.value(), left) && read_as(b.value(), right) && left == right;
}

bool same_components(Node& a, Node& b) {
  return std::ranges::equal(a.components(), b.components(),
                            [](const auto& left, const auto& right) { return same_value(*left, *right); });
}

bool same_value(Node& a, Node& b) {
  switch (a.kind()) {
    case TCKind::tk_any:
      return same_anys(a, b);
    case TCKind::tk_TypeCode:
      return same_types(a, b);
    case TCKind::tk_struct:
    case TCKind::tk_except:
    case TCKind::tk_union:
    case TCKind::tk_sequence:
    case TCKind::tk_array:
      return same_components(a, b);
    default:
      return octets_of(a) == octets_of(b);
  }
}

}  // namespace

bool Node::equal(const CORBA::object_reference<DynAny>& other) {
  check_alive();
  if (!other) return false;
  Node& node = node_of(other);
  node.check_alive();
  return type_->equivalent(node.type_) && (this == &node || same_value(*this, node));
}

}  // namespace takt::dynamic
