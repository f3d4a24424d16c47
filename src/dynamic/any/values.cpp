#include "dynamic/any/values.h"

#include <takt/dynamic/dyn_any.h>

namespace takt::dynamic {

using CORBA::TCKind;

CORBA::Any retyped(const CORBA::Any& value, CORBA::typecode_reference type, cdr::Environment* environment) {
  auto content = std::make_shared<cdr::AnyContent>();
  content->octets = value._content().octets;
  content->values = value._content().values;
  return CORBA::Any(std::move(type), std::move(content),
                    value._environment() ? value._environment() : environment);
}

CORBA::typecode_reference behind_aliases(CORBA::typecode_reference type) {
  if (type->_is_recursion()) {
    auto meant = type->_resolved(type.shared());
    if (!meant)
      throw CORBA::BAD_TYPECODE(CORBA::omg_minor(1), CORBA::COMPLETED_NO, "a TypeCode that is not complete");
    type = CORBA::typecode_reference(std::move(meant));
  }
  while (type->_parts().kind == TCKind::tk_alias) type = type->content_type();
  return type;
}

std::int64_t label_of(const CORBA::Any& discriminator) {
  std::int64_t label = 0;
  if (!cdr::label_in(discriminator, label)) throw DynamicAny::DynAny::InvalidValue();
  return label;
}

void check_kind(const CORBA::typecode_reference& type) {
  if (!type) throw CORBA::BAD_TYPECODE(0, CORBA::COMPLETED_NO, "a DynAny of no type");
  switch (behind_aliases(type)->_parts().kind) {
    case TCKind::tk_Principal:
    case TCKind::tk_native:
    case TCKind::tk_abstract_interface:
    case TCKind::tk_local_interface:
      throw DynamicAny::DynAnyFactory::InconsistentTypeCode();
    default:
      break;
  }
}

}  // namespace takt::dynamic
