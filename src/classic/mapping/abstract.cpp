// Abstract interfaces.
#include <takt/classic/abstract.h>
#include <takt/classic/any.h>

#include "classic/bridge/failures.h"
#include "classic/bridge/types_bridge.h"

namespace takt {
namespace classic {

CORBA::Object_ptr object_behind(AbstractPointer pointer) {
  return dynamic_cast<CORBA::Object*>(pointer.object);
}
void add_abstract_reference(CORBA::AbstractBase* base) {
  if (auto* const object = dynamic_cast<CORBA::Object*>(base)) return object->_add_ref();
  if (auto* const value = dynamic_cast<CORBA::ValueBase*>(base)) value->_add_ref();
}
void write_abstract(Writer& out, AbstractPointer pointer) {
  const CORBA::Object_ptr object = object_behind(pointer);
  const bool is_object = !CORBA::is_nil(object);
  write(out, is_object);
  if (is_object)
    write_reference(out, object->_takt_reference());
  else
    write_value(out, dynamic_cast<CORBA::ValueBase*>(pointer.object));
}

}  // namespace classic
}  // namespace takt

namespace CORBA {
inline namespace takt_classic_ {

using takt::classic::AbstractProxies;

Boolean is_nil(takt::classic::AbstractPointer pointer) {
  if (!pointer.object) return true;
  const Object_ptr object = takt::classic::object_behind(pointer);
  return object && !object->_takt_reference();
}
void release(takt::classic::AbstractPointer pointer) {
  if (const Object_ptr object = takt::classic::object_behind(pointer)) return object->_remove_ref();
  if (auto* const value = dynamic_cast<ValueBase*>(pointer.object)) value->_remove_ref();
}

const char* const AbstractBase::_PD_repoId = "IDL:omg.org/CORBA/AbstractBase:1.0";
AbstractBase_ptr AbstractBase::_duplicate(AbstractBase_ptr object) {
  return AbstractProxies<AbstractBase>::duplicate(object);
}
AbstractBase_ptr AbstractBase::_nil() { return AbstractProxies<AbstractBase>::nil(); }
Object_ptr AbstractBase::_to_object() { return Object::_duplicate(takt::classic::object_behind(this)); }
ValueBase* AbstractBase::_to_value() { return ValueBase::_duplicate(dynamic_cast<ValueBase*>(this)); }
takt::classic::Reference* AbstractBase::_takt_abstract_reference() const {
  if (const auto* const object = dynamic_cast<const Object*>(this)) return object->_takt_reference();
  takt::classic::raise_system("IDL:omg.org/CORBA/NO_IMPLEMENT:1.0", 0, COMPLETED_NO,
                              "the value's class does not override an operation of an abstract interface");
}

Boolean operator>>=(const Any& any, const Any::to_abstract_base& to) {
  takt::classic::AnyHandle* const handle = any._takt_handle();
  const auto read_as = [&](void (*read)(takt::classic::Reader&, void*)) {
    AbstractBase_ptr made = AbstractBase::_nil();
    if (!takt::classic::extract(any, read, &made)) return false;
    to.ref = made;
    return true;
  };
  if (takt::classic::any::holds_abstract(handle))
    return read_as([](takt::classic::Reader& in, void* into) {
      *static_cast<AbstractBase_ptr*>(into) = AbstractProxies<AbstractBase>::read(in);
    });
  return false;
}

}  // namespace takt_classic_
}  // namespace CORBA
