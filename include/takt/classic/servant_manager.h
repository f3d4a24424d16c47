// Objects by which an application supplies servants and adapters on demand, in the classic mapping. C++14.
#pragma once

#include <takt/classic/manager_hooks.h>
#include <takt/classic/poa.h>

// A class of local objects of the ORB's own, which applications derive from.
#define TAKT_CLASSIC_LOCAL_CLASS(NAME)                       \
 public:                                                     \
  typedef NAME##_ptr _ptr_type;                              \
  typedef NAME##_var _var_type;                              \
  static NAME##_ptr _duplicate(NAME##_ptr object) {          \
    return ::takt::classic::Locals<NAME>::duplicate(object); \
  }                                                          \
  static NAME##_ptr _narrow(::CORBA::Object_ptr object) {    \
    return ::takt::classic::Locals<NAME>::narrow(object);    \
  }                                                          \
  static NAME##_ptr _nil();                                  \
  static const char* const _PD_repoId;                       \
  bool _takt_has_type(const char* repository_id) const override;

namespace PortableServer {
inline namespace takt_classic_ {

// A servant manager throws this to send the client to another object.
class ForwardRequest : public ::CORBA::UserException {
 public:
  ::CORBA::Object_member forward_reference;
  ForwardRequest() {}
  explicit ForwardRequest(::CORBA::Object_ptr to) { forward_reference = ::CORBA::Object::_duplicate(to); }
  TAKT_CLASSIC_EXCEPTION_FUNCTIONS(ForwardRequest)
};

class ServantManager : public virtual ::CORBA::LocalObject {
  TAKT_CLASSIC_LOCAL_CLASS(ServantManager)
};

TAKT_CLASSIC_OBJECT_TYPES(ServantActivator)
// For adapters with RETAIN. One POA never runs incarnate and etherealize at the same time. The POA counts the
// servant for itself: the reference that incarnate() returns with it is released by the application, in
// etherealize() as a rule.
class ServantActivator : public virtual ServantManager, public takt::classic::ActivatorImplementation {
  TAKT_CLASSIC_LOCAL_CLASS(ServantActivator)
  // May throw ForwardRequest. System exceptions are passed to the client.
  virtual Servant incarnate(const ObjectId& oid, POA_ptr adapter) = 0;
  // The object is no longer active, and its upcalls have returned. Exceptions are ignored.
  virtual void etherealize(const ObjectId& oid, POA_ptr adapter, Servant servant,
                           ::CORBA::Boolean cleanup_in_progress, ::CORBA::Boolean remaining_activations) = 0;

  takt::classic::Servant* _takt_incarnate(const unsigned char* id, std::size_t length,
                                          takt::classic::Reference* poa) override;
  void _takt_etherealize(const unsigned char* id, std::size_t length, takt::classic::Reference* poa,
                         takt::classic::Servant& servant, bool cleanup_in_progress,
                         bool remaining_activations) override;
};

TAKT_CLASSIC_OBJECT_TYPES(ServantLocator)
// For adapters with NON_RETAIN: called before and after every request, in the request's thread. The reference
// that preinvoke() returns with a servant is released by the application, in postinvoke() as a rule.
class ServantLocator : public virtual ServantManager, public takt::classic::LocatorImplementation {
  TAKT_CLASSIC_LOCAL_CLASS(ServantLocator)
  typedef void* Cookie;
  virtual Servant preinvoke(const ObjectId& oid, POA_ptr adapter, const char* operation, Cookie& cookie) = 0;
  virtual void postinvoke(const ObjectId& oid, POA_ptr adapter, const char* operation, Cookie cookie,
                          Servant servant) = 0;

  takt::classic::Servant* _takt_preinvoke(const unsigned char* id, std::size_t length,
                                          takt::classic::Reference* poa, const char* operation,
                                          void*& cookie) override;
  void _takt_postinvoke(const unsigned char* id, std::size_t length, takt::classic::Reference* poa,
                        const char* operation, void* cookie, takt::classic::Servant& servant) override;
};

// Creates missing child adapters on demand, by create_POA.
class AdapterActivator : public virtual ::CORBA::LocalObject, public takt::classic::AdapterImplementation {
  TAKT_CLASSIC_LOCAL_CLASS(AdapterActivator)
  // True if it has created an adapter of that name.
  virtual ::CORBA::Boolean unknown_adapter(POA_ptr parent, const char* name) = 0;
  bool _takt_unknown_adapter(takt::classic::Reference* parent, const char* name) override;
};

}  // namespace takt_classic_
}  // namespace PortableServer

// The same, for programs of ORBs in which a servant manager is a servant. Other processes cannot call them.
namespace POA_PortableServer {
inline namespace takt_classic_ {

#define TAKT_CLASSIC_SERVANT_OF(name)                                                    \
  class name : public virtual ::PortableServer::name {                                   \
   public:                                                                               \
    ::PortableServer::name* _this() { return ::PortableServer::name::_duplicate(this); } \
  };
TAKT_CLASSIC_SERVANT_OF(ServantActivator)
TAKT_CLASSIC_SERVANT_OF(ServantLocator)
TAKT_CLASSIC_SERVANT_OF(AdapterActivator)
#undef TAKT_CLASSIC_SERVANT_OF

}  // namespace takt_classic_
}  // namespace POA_PortableServer
