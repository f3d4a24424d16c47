// Module PortableInterceptor: what all interceptors have.
#pragma once

#include <string>

#include <takt/interceptors/request_info.h>

namespace PortableInterceptor {

// The functions of one interceptor may run in several threads at a time. A call that one makes has its own
// points, also of the same interceptor. Exceptions other than system exceptions and, where the point allows
// it, ForwardRequest are taken as CORBA::UNKNOWN (OMG minor 1).
class Interceptor : public virtual CORBA::LocalObject {
  TAKT_INTERCEPTOR_INTERFACE(Interceptor, LocalObject)
  // "" for one without a name.
  virtual std::string name() = 0;
  // Called by ORB::destroy(), when no request is in progress. Exceptions are ignored.
  virtual void destroy() = 0;
};

}  // namespace PortableInterceptor
