// How the ORB has a factory of DynAnys in programs that use them.
#pragma once

#include <takt/reference/object.h>

namespace takt::cdr {
class Environment;
}

namespace takt::dynamic {

// Null in a program that does not use DynamicAny::DynAnyFactory, since nothing else links its source.
[[gnu::weak]] CORBA::object_reference<CORBA::Object> make_dyn_any_factory(cdr::Environment* environment);

}  // namespace takt::dynamic
