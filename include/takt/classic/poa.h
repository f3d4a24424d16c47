// Object adapters in the classic mapping. C++14.
#pragma once

#include <takt/classic/orb.h>
#include <takt/classic/orb_types.h>
#include <takt/classic/servant.h>

namespace PortableServer {
inline namespace takt_classic_ {

TAKT_CLASSIC_SEQUENCE(ObjectId, takt::classic::Values< ::CORBA::Octet>)
ObjectId* string_to_ObjectId(const char* text);
char* ObjectId_to_string(const ObjectId& id);

enum ThreadPolicyValue { ORB_CTRL_MODEL, SINGLE_THREAD_MODEL, MAIN_THREAD_MODEL };
enum LifespanPolicyValue { TRANSIENT, PERSISTENT };
enum IdUniquenessPolicyValue { UNIQUE_ID, MULTIPLE_ID };
enum IdAssignmentPolicyValue { USER_ID, SYSTEM_ID };
enum ImplicitActivationPolicyValue { IMPLICIT_ACTIVATION, NO_IMPLICIT_ACTIVATION };
enum ServantRetentionPolicyValue { RETAIN, NON_RETAIN };
enum RequestProcessingPolicyValue { USE_ACTIVE_OBJECT_MAP_ONLY, USE_DEFAULT_SERVANT, USE_SERVANT_MANAGER };

const ::CORBA::PolicyType THREAD_POLICY_ID = 16, LIFESPAN_POLICY_ID = 17, ID_UNIQUENESS_POLICY_ID = 18,
                          ID_ASSIGNMENT_POLICY_ID = 19, IMPLICIT_ACTIVATION_POLICY_ID = 20,
                          SERVANT_RETENTION_POLICY_ID = 21, REQUEST_PROCESSING_POLICY_ID = 22;

#define TAKT_CLASSIC_POA_POLICY(NAME)           \
  TAKT_CLASSIC_OBJECT_TYPES(NAME)               \
  class NAME : public virtual ::CORBA::Policy { \
    TAKT_CLASSIC_OWN_OBJECT(NAME)               \
    NAME##Value value();                        \
  };
TAKT_CLASSIC_POA_POLICY(ThreadPolicy)
TAKT_CLASSIC_POA_POLICY(LifespanPolicy)
TAKT_CLASSIC_POA_POLICY(IdUniquenessPolicy)
TAKT_CLASSIC_POA_POLICY(IdAssignmentPolicy)
TAKT_CLASSIC_POA_POLICY(ImplicitActivationPolicy)
TAKT_CLASSIC_POA_POLICY(ServantRetentionPolicy)
TAKT_CLASSIC_POA_POLICY(RequestProcessingPolicy)
#undef TAKT_CLASSIC_POA_POLICY

// A policy of another ORB for which there is nothing to do here: create_POA() passes over it. Local.
class PolicyWithoutEffect : public virtual ::CORBA::Policy, public virtual ::CORBA::LocalObject {
 protected:
  PolicyWithoutEffect() {}
  ~PolicyWithoutEffect() override {}
};

TAKT_CLASSIC_OBJECT_TYPES(POAManager)
class POAManager : public virtual ::CORBA::Object {
  TAKT_CLASSIC_OWN_OBJECT(POAManager)
  TAKT_CLASSIC_USER_EXCEPTION(AdapterInactive)
  enum State { HOLDING, ACTIVE, DISCARDING, INACTIVE };

  void activate();
  void hold_requests(::CORBA::Boolean wait_for_completion);
  void discard_requests(::CORBA::Boolean wait_for_completion);
  void deactivate(::CORBA::Boolean etherealize_objects, ::CORBA::Boolean wait_for_completion);
  State get_state();
  char* get_id();  // a name, unique in this ORB
};

TAKT_CLASSIC_OBJECT_TYPES(ServantManager)  // <takt/classic/servant_manager.h>
TAKT_CLASSIC_OBJECT_TYPES(AdapterActivator)
TAKT_CLASSIC_OBJECT_TYPES(POA)
TAKT_CLASSIC_SEQUENCE(POAList, takt::classic::Objects<POA>)
// Any thread. References and servants that are returned belong to the caller.
class POA : public virtual ::CORBA::Object {
  TAKT_CLASSIC_OWN_OBJECT(POA)
  TAKT_CLASSIC_USER_EXCEPTION(AdapterAlreadyExists)
  TAKT_CLASSIC_USER_EXCEPTION(AdapterNonExistent)
  TAKT_CLASSIC_USER_EXCEPTION(NoServant)
  TAKT_CLASSIC_USER_EXCEPTION(ObjectAlreadyActive)
  TAKT_CLASSIC_USER_EXCEPTION(ObjectNotActive)
  TAKT_CLASSIC_USER_EXCEPTION(ServantAlreadyActive)
  TAKT_CLASSIC_USER_EXCEPTION(ServantNotActive)
  TAKT_CLASSIC_USER_EXCEPTION(WrongAdapter)
  TAKT_CLASSIC_USER_EXCEPTION(WrongPolicy)
  class InvalidPolicy : public ::CORBA::UserException {
   public:
    ::CORBA::UShort index;
    InvalidPolicy() : index(0) {}
    explicit InvalidPolicy(::CORBA::UShort at) : index(at) {}
    TAKT_CLASSIC_EXCEPTION_FUNCTIONS(InvalidPolicy)
  };

  POA_ptr create_POA(const char* name, POAManager_ptr manager, const ::CORBA::PolicyList& policies);
  POA_ptr find_POA(const char* name, ::CORBA::Boolean activate_it);
  void destroy(::CORBA::Boolean etherealize_objects, ::CORBA::Boolean wait_for_completion);
  char* the_name();
  POA_ptr the_parent();
  POAList* the_children();
  POAManager_ptr the_POAManager();
  AdapterActivator_ptr the_activator();
  void the_activator(AdapterActivator_ptr activator);
  ::CORBA::OctetSeq* id();  // unique among the adapters of this ORB

  ThreadPolicy_ptr create_thread_policy(ThreadPolicyValue value);
  LifespanPolicy_ptr create_lifespan_policy(LifespanPolicyValue value);
  IdUniquenessPolicy_ptr create_id_uniqueness_policy(IdUniquenessPolicyValue value);
  IdAssignmentPolicy_ptr create_id_assignment_policy(IdAssignmentPolicyValue value);
  ImplicitActivationPolicy_ptr create_implicit_activation_policy(ImplicitActivationPolicyValue value);
  ServantRetentionPolicy_ptr create_servant_retention_policy(ServantRetentionPolicyValue value);
  RequestProcessingPolicy_ptr create_request_processing_policy(RequestProcessingPolicyValue value);

  // Sources of servants. WrongPolicy if the policies name another source.
  ServantManager_ptr get_servant_manager();
  void set_servant_manager(ServantManager_ptr manager);  // once only: BAD_INV_ORDER
  Servant get_servant();
  void set_servant(Servant servant);

  ObjectId* activate_object(Servant servant);
  void activate_object_with_id(const ObjectId& id, Servant servant);
  void deactivate_object(const ObjectId& id);
  ::CORBA::Object_ptr create_reference(const char* repository_id);
  ::CORBA::Object_ptr create_reference_with_id(const ObjectId& id, const char* repository_id);

  ObjectId* servant_to_id(Servant servant);
  ::CORBA::Object_ptr servant_to_reference(Servant servant);
  Servant reference_to_servant(::CORBA::Object_ptr reference);
  ObjectId* reference_to_id(::CORBA::Object_ptr reference);
  Servant id_to_servant(const ObjectId& id);
  ::CORBA::Object_ptr id_to_reference(const ObjectId& id);
};

TAKT_CLASSIC_OBJECT_TYPES(Current)
// The request that the calling thread executes ("POACurrent").
class Current : public virtual ::CORBA::Current {
  TAKT_CLASSIC_OWN_OBJECT(Current)
  TAKT_CLASSIC_USER_EXCEPTION(NoContext)
  POA_ptr get_POA();
  ObjectId* get_object_id();
  ::CORBA::Object_ptr get_reference();
  Servant get_servant();
};

}  // namespace takt_classic_
}  // namespace PortableServer

namespace takt {
namespace classic {

// The base of tie classes: holds the object that implements the operations.
template <class T>
class TieBase {
 public:
  T* _tied_object() { return tied_; }
  void _tied_object(T& tied) { set(&tied, false); }
  void _tied_object(T* tied, CORBA::Boolean release = true) { set(tied, release); }
  CORBA::Boolean _is_owner() { return owns_; }
  void _is_owner(CORBA::Boolean owns) { owns_ = owns; }
  TieBase(const TieBase&) = delete;
  TieBase& operator=(const TieBase&) = delete;

 protected:
  // Duplicates the POA, which may be null.
  TieBase(T* tied, bool owns, PortableServer::POA_ptr poa)
      : tied_(tied), owns_(owns), poa_(PortableServer::POA::_duplicate(poa)) {}
  ~TieBase() {
    if (owns_) delete tied_;
  }
  PortableServer::POA_ptr _takt_poa(PortableServer::ServantBase& servant) {
    return CORBA::is_nil(poa_.in()) ? servant.PortableServer::ServantBase::_default_POA()
                                    : PortableServer::POA::_duplicate(poa_.in());
  }

 private:
  void set(T* tied, bool owns) {
    if (owns_ && tied != tied_) delete tied_;
    tied_ = tied;
    owns_ = owns;
  }
  T* tied_;
  bool owns_;
  PortableServer::POA_var poa_;
};

}  // namespace classic
}  // namespace takt
