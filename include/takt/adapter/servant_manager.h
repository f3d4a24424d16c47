// What an application gives to an adapter so that servants and adapters come when they are needed
// (CORBA 3.0.3, 11.3.3 to 11.3.6). Implement by deriving from IDL::traits<...>::base_type.
#pragma once

#include <string>

#include <takt/adapter/object_id.h>
#include <takt/adapter/servant.h>
#include <takt/reference/local_object.h>

namespace PortableServer {

class POA;

// Thrown by a servant manager: the object is elsewhere, and the client is sent there.
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

// For adapters that retain servants. The adapter never runs incarnate and etherealize of one POA at the same
// time.
class ServantActivator : public virtual ServantManager {
 public:
  using _ref_type = CORBA::object_reference<ServantActivator>;
  // The servant of an object that has none; it serves all further requests of that object. May throw
  // ForwardRequest. System exceptions go to the client.
  virtual CORBA::servant_reference<Servant> incarnate(const ObjectId& id,
                                                      CORBA::object_reference<POA> poa) = 0;
  // The object is no longer active and no upcall is in it. Exceptions are ignored.
  virtual void etherealize(const ObjectId& id, CORBA::object_reference<POA> poa,
                           CORBA::servant_reference<Servant> servant, bool cleanup_in_progress,
                           bool remaining_activations) = 0;
};

// For adapters that do not: asked before and told after every request, in the request's thread.
class ServantLocator : public virtual ServantManager {
 public:
  using _ref_type = CORBA::object_reference<ServantLocator>;
  using Cookie = void*;  // the application's own, from preinvoke to postinvoke
  virtual CORBA::servant_reference<Servant> preinvoke(const ObjectId& id, CORBA::object_reference<POA> poa,
                                                      const std::string& operation, Cookie& cookie) = 0;
  virtual void postinvoke(const ObjectId& id, CORBA::object_reference<POA> poa, const std::string& operation,
                          Cookie cookie, CORBA::servant_reference<Servant> servant) = 0;
};

// Makes child adapters that somebody asks for, by create_POA.
class AdapterActivator : public virtual CORBA::LocalObject {
 public:
  using _ref_type = CORBA::object_reference<AdapterActivator>;
  // True if it has made one of that name.
  virtual bool unknown_adapter(CORBA::object_reference<POA> parent, const std::string& name) = 0;
};

}  // namespace PortableServer
