// Values of the classic mapping.
#include <takt/classic/orb.h>
#include <takt/classic/value.h>

#include "classic/bridge/failures.h"
#include "classic/bridge/types_bridge.h"
#include "classic/bridge/value_bridge.h"

namespace takt {
namespace classic {

ValueRegistration::ValueRegistration(const char* of_id, ValueImplementation* (*of_make)())
    : id(of_id), make(of_make) {
  value::add(*this);
}
ValueRegistration::~ValueRegistration() { value::remove(*this); }

void write_value(Writer& out, CORBA::ValueBase* value) { value::write(out, value); }
CORBA::ValueBase* read_value(Reader& in, const char* id) {
  return static_cast<CORBA::ValueBase*>(value::read(in, id));
}
TypeNode value_base_type(CORBA::tk_value, "IDL:omg.org/CORBA/ValueBase:1.0", "ValueBase");

}  // namespace classic
}  // namespace takt

namespace CORBA {
inline namespace takt_classic_ {

namespace bridge = takt::classic::value;

const TypeCode_ptr _tc_ValueBase = takt::classic::make_type_code(takt::classic::value_base_type);

ValueBase* ValueBase::_copy_value() { return static_cast<ValueBase*>(bridge::copy(*this)); }

namespace {
ValueFactory back(takt::classic::FactoryImplementation* factory) {
  return static_cast<ValueFactory>(factory);
}
}  // namespace

ValueFactory ORB::register_value_factory(const char* id, ValueFactory factory) {
  if (!factory) takt::classic::raise_bad_param("a value factory is a null pointer");
  return back(bridge::register_factory(handle(), id ? id : "", *factory));
}
void ORB::unregister_value_factory(const char* id) { bridge::unregister_factory(handle(), id ? id : ""); }
ValueFactory ORB::lookup_value_factory(const char* id) {
  return back(bridge::lookup_factory(handle(), id ? id : ""));
}

Boolean operator>>=(const Any& any, const Any::to_value& to) {
  if (!takt::classic::any::holds_value(any._takt_handle())) return false;
  const auto into = [](takt::classic::Reader& in, void* value) {
    *static_cast<ValueBase**>(value) = takt::classic::read_value(in, "");
  };
  ValueBase* read = nullptr;
  if (!takt::classic::extract(any, into, &read)) return false;
  to.ref = read;
  return true;
}

}  // namespace takt_classic_
}  // namespace CORBA
