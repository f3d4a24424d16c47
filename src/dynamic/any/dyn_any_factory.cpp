#include "dynamic/any/dyn_any_factory.h"

#include "dynamic/any/box_node.h"
#include "dynamic/any/elements_node.h"
#include "dynamic/any/leaf_nodes.h"
#include "dynamic/any/members_node.h"
#include "dynamic/any/union_node.h"
#include "dynamic/any/values.h"

namespace takt::dynamic {

using CORBA::TCKind;

std::shared_ptr<Node> make_node(Part part) {
  switch (behind_aliases(part.type)->_parts().kind) {
    case TCKind::tk_struct:
    case TCKind::tk_except:
      return std::make_shared<StructNode>(std::move(part));
    case TCKind::tk_union:
      return std::make_shared<UnionNode>(std::move(part));
    case TCKind::tk_sequence:
      return std::make_shared<SequenceNode>(std::move(part));
    case TCKind::tk_array:
      return std::make_shared<ArrayNode>(std::move(part));
    case TCKind::tk_value:
    case TCKind::tk_event:
      return std::make_shared<ValueNode>(std::move(part));
    case TCKind::tk_value_box:
      return std::make_shared<BoxNode>(std::move(part));
    case TCKind::tk_enum:
      return std::make_shared<EnumNode>(std::move(part));
    case TCKind::tk_fixed:
      return std::make_shared<FixedNode>(std::move(part));
    default:
      return std::make_shared<LeafNode>(std::move(part));
  }
}

CORBA::object_reference<CORBA::Object> make_dyn_any_factory(cdr::Environment* environment) {
  return CORBA::make_reference<DynamicAny::DynAnyFactory>(environment);
}

}  // namespace takt::dynamic

namespace DynamicAny {

namespace {

using takt::dynamic::Whole;
using Reference = CORBA::object_reference<DynAny>;

Reference outermost(CORBA::Any value, std::shared_ptr<takt::cdr::Environment> environment) {
  auto type = value.type();
  auto whole = std::make_shared<Whole>(type, std::move(environment));
  return Reference(takt::dynamic::make_node({std::move(whole), std::move(type), std::move(value), true}));
}

bool is_value(CORBA::TCKind kind) {
  return kind == CORBA::TCKind::tk_value || kind == CORBA::TCKind::tk_event;
}

}  // namespace

DynAnyFactory::DynAnyFactory(takt::cdr::Environment* environment)
    : environment_(environment ? environment->shared() : nullptr) {}
DynAnyFactory::~DynAnyFactory() = default;

Reference DynAnyFactory::create_dyn_any(const CORBA::Any& value) {
  takt::dynamic::check_kind(value.type());
  return outermost(value, environment_);
}

Reference DynAnyFactory::create_dyn_any_from_type_code(const CORBA::typecode_reference& type) {
  takt::dynamic::check_kind(type);
  return outermost(takt::dynamic::initial_value(type, environment_.get()), environment_);
}

Reference DynAnyFactory::create_dyn_any_without_truncation(const CORBA::Any& value) {
  const auto type = takt::dynamic::behind_aliases(value.type());
  if (is_value(type->kind())) {
    CORBA::valuetype_reference<CORBA::ValueBase> inside;
    if (takt::dynamic::read_as(value, inside) && inside && inside->_value_type().id() != type->id())
      throw MustTruncate();
  }
  return create_dyn_any(value);
}

DynAnySeq DynAnyFactory::create_multiple_dyn_anys(const AnySeq& values, bool allow_truncate) {
  DynAnySeq all;
  for (const CORBA::Any& value : values)
    all.push_back(allow_truncate ? create_dyn_any(value) : create_dyn_any_without_truncation(value));
  return all;
}

AnySeq DynAnyFactory::create_multiple_anys(const DynAnySeq& values) {
  AnySeq all;
  for (const Reference& value : values) all.push_back(value->to_any());
  return all;
}

}  // namespace DynamicAny
