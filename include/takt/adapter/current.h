// Access to the request that the calling thread is executing ("POACurrent"; CORBA 3.0.3, 11.3.9).
#pragma once

#include <takt/adapter/exceptions.h>
#include <takt/adapter/object_id.h>
#include <takt/adapter/servant.h>
#include <takt/reference/local_object.h>

namespace PortableServer {

// One object for all threads; each sees its own innermost upcall. Throws NoContext outside of upcalls.
class Current final : public virtual CORBA::LocalObject {
 public:
  using _ref_type = CORBA::object_reference<Current>;
  TAKT_ADAPTER_EXCEPTION(Current, NoContext, "the thread runs no upcall")

  CORBA::object_reference<POA> get_POA();
  ObjectId get_object_id();
  CORBA::object_reference<CORBA::Object> get_reference();
  CORBA::servant_reference<Servant> get_servant();
};

}  // namespace PortableServer
