// The runtime's side of dynamic requests.
#pragma once

#include <takt/dynamic/named_values.h>
#include <takt/dynamic/request.h>

#include "classic/bridge/types.h"

namespace takt::classic {

class RequestHandle {
 public:
  const CORBA::object_reference<CORBA::Request> request;
};
class ContextHandle {
 public:
  const CORBA::object_reference<CORBA::Context> context;
};

// Null is an Any of tk_null.
inline CORBA::Any any_of(AnyHandle* any) { return any ? any->any : CORBA::Any(); }

}  // namespace takt::classic
