#include <takt/reference/abstract_base.h>

namespace CORBA {

AbstractBase::~AbstractBase() = default;

object_reference<Object> AbstractBase::_to_object() const {
  return object_reference<Object>(std::dynamic_pointer_cast<Object>(self_.lock()));
}

valuetype_reference<ValueBase> AbstractBase::_to_value() const {
  return valuetype_reference<ValueBase>(std::dynamic_pointer_cast<ValueBase>(self_.lock()));
}

const Object& AbstractBase::_object() const {
  const auto* object = dynamic_cast<const Object*>(this);
  if (!object)
    throw NO_IMPLEMENT(0, COMPLETED_NO, "a value does not implement an operation of its abstract interface");
  return *object;
}

const std::string& AbstractBase::_interface_repository_id() {
  static const std::string id = "IDL:omg.org/CORBA/AbstractBase:1.0";
  return id;
}

typecode_reference AbstractBase::_type_code() {
  return takt::cdr::named_typecode<AbstractBase>(TCKind::tk_abstract_interface, _interface_repository_id(),
                                                 "AbstractBase");
}

}  // namespace CORBA
