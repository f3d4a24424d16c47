// Interfaces by which an application supplies servants and adapters on demand (CORBA 3.0.3, 11.3.3 to
// 11.3.6). To implement one, derive from IDL::traits<...>::base_type.
#pragma once

#include <string>

#include <takt/adapter/object_id.h>
#include <takt/adapter/servant.h>
#include <takt/reference/local_object.h>

namespace PortableServer {

class POA;

// A servant manager throws this to send the client to another object.
class ForwardRequest final : public CORBA::UserException {
 public:
  ForwardRequest() = default;
  explicit ForwardRequest(CORBA::object_reference<CORBA::Object> reference)
      : reference_(std::move(reference)) {}
  const CORBA::object_reference<CORBA::Object>& forward_reference() const { return reference_; }
  CORBA::object_reference<CORBA::Object>& forward_reference() { return reference_; }
  void forward_reference(CORBA::object_reference<CORBA::Object> reference) {
    reference_ = std::move(reference);
  }
  const char* _rep_id() const noexcept override { return "IDL:omg.org/PortableServer/ForwardRequest:1.0"; }
  const char* _name() const noexcept override { return "ForwardRequest"; }
  [[noreturn]] void _raise() const override { throw *this; }

 private:
  CORBA::object_reference<CORBA::Object> reference_;
};

class ServantManager : public virtual CORBA::LocalObject {
 public:
  using _ref_type = CORBA::object_reference<ServantManager>;
};

// For adapters with RETAIN. One POA never runs incarnate and etherealize at the same time.
class ServantActivator : public virtual ServantManager {
 public:
  using _ref_type = CORBA::object_reference<ServantActivator>;
  // Returns the servant for an object that has none. It then serves all later requests for the object. May
  // throw ForwardRequest. System exceptions are passed to the client.
  virtual CORBA::servant_reference<Servant> incarnate(const ObjectId& id,
                                                      CORBA::object_reference<POA> poa) = 0;
  // Called when the object is no longer active and its upcalls have returned. `remaining_activations`:
  // another object of the adapter has the servant and has not been etherealized, although it may be closed.
  // Exceptions are ignored.
  virtual void etherealize(const ObjectId& id, CORBA::object_reference<POA> poa,
                           CORBA::servant_reference<Servant> servant, bool cleanup_in_progress,
                           bool remaining_activations) = 0;
};

// For adapters with NON_RETAIN: called before and after every request, in the request's thread.
class ServantLocator : public virtual ServantManager {
 public:
  using _ref_type = CORBA::object_reference<ServantLocator>;
  using Cookie = void*;  // owned by the application; passed from preinvoke to postinvoke
  virtual CORBA::servant_reference<Servant> preinvoke(const ObjectId& id, CORBA::object_reference<POA> poa,
                                                      const std::string& operation, Cookie& cookie) = 0;
  // Part of the request: its exceptions take the place of the upcall's answer, unless that was given before
  // the upcall returned, or will be given later.
  virtual void postinvoke(const ObjectId& id, CORBA::object_reference<POA> poa, const std::string& operation,
                          Cookie cookie, CORBA::servant_reference<Servant> servant) = 0;
};

// Creates missing child adapters on demand, by create_POA.
class AdapterActivator : public virtual CORBA::LocalObject {
 public:
  using _ref_type = CORBA::object_reference<AdapterActivator>;
  // True if it has created an adapter of that name. Requests to that adapter and its descendants wait until
  // this returns, except those of this thread; other threads do not ask for the same adapter meanwhile.
  virtual bool unknown_adapter(CORBA::object_reference<POA> parent, const std::string& name) = 0;
};

}  // namespace PortableServer
