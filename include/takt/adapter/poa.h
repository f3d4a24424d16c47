// The Portable Object Adapter: creates object references and passes requests to servants (CORBA 3.0.3,
// chapter 11).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <takt/adapter/current.h>
#include <takt/adapter/exceptions.h>
#include <takt/adapter/object_id.h>
#include <takt/adapter/poa_manager.h>
#include <takt/adapter/policies.h>
#include <takt/adapter/servant.h>
#include <takt/adapter/servant_manager.h>
#include <takt/reference/local_object.h>

namespace takt::adapter {
class PoaCore;
}  // namespace takt::adapter

namespace PortableGroup {

// The reference has no group profile.
class NotAGroupObject final : public CORBA::UserException {
 public:
  const char* _rep_id() const noexcept override { return "IDL:omg.org/PortableGroup/NotAGroupObject:1.0"; }
  const char* _name() const noexcept override { return "NotAGroupObject"; }
  const char* what() const noexcept override {
    return "PortableGroup::NotAGroupObject: the reference is not that of a group";
  }
  [[noreturn]] void _raise() const override { throw *this; }
};

}  // namespace PortableGroup

namespace PortableServer {

// Any thread. Requests find their servants without a lock. The functions below take a lock that no request
// waits for. Calls on a destroyed adapter throw OBJECT_NOT_EXIST, except destroy() and those that tell its
// name, parent, manager and id; activations do so from destroy() on, and create_POA throws BAD_INV_ORDER 17.
// It is large because the standard gives an adapter these operations.
class POA final : public virtual CORBA::LocalObject {
 public:
  using _ref_type = CORBA::object_reference<POA>;
  using POAList = std::vector<CORBA::object_reference<POA>>;  // the same as PortableServer::POAList
  TAKT_ADAPTER_EXCEPTION(POA, AdapterAlreadyExists, "the POA has a child of that name")
  TAKT_ADAPTER_EXCEPTION(POA, AdapterNonExistent,
                         "the POA has no child of that name, and no activator has made it")
  TAKT_ADAPTER_EXCEPTION(POA, NoServant, "the POA has no default servant: set_servant() gives it one")
  TAKT_ADAPTER_EXCEPTION(POA, ObjectAlreadyActive, "the POA has an active object of that id")
  TAKT_ADAPTER_EXCEPTION(POA, ObjectNotActive, "the POA has no active object of that id")
  TAKT_ADAPTER_EXCEPTION(
      POA, ServantAlreadyActive,
      "the servant incarnates an object of this POA already, which MULTIPLE_ID alone allows twice")
  TAKT_ADAPTER_EXCEPTION(
      POA, ServantNotActive,
      "the servant incarnates no object of this POA, whose policies do not let it be activated now")
  TAKT_ADAPTER_EXCEPTION(POA, WrongAdapter, "the reference is of an object of another POA")
  TAKT_ADAPTER_EXCEPTION(POA, WrongPolicy, "the POA's policies do not allow this operation")
  // The policy at that index is unknown, or contradicts an earlier one or a default.
  class InvalidPolicy final : public CORBA::UserException {
   public:
    InvalidPolicy() = default;
    explicit InvalidPolicy(std::uint16_t index) : index_(index) {}
    std::uint16_t index() const { return index_; }
    void index(std::uint16_t index) { index_ = index; }
    const char* _rep_id() const noexcept override {
      return "IDL:omg.org/PortableServer/POA/InvalidPolicy:1.0";
    }
    const char* _name() const noexcept override { return "InvalidPolicy"; }
    const char* what() const noexcept override {
      return "PortableServer::POA::InvalidPolicy: a policy of the list is none of a POA's, or does not go "
             "with those before it; index() is its place";
    }
    [[noreturn]] void _raise() const override { throw *this; }

   private:
    std::uint16_t index_ = 0;
  };

  // For the adapter's own use.
  POA(std::shared_ptr<takt::reference::References> references, std::shared_ptr<takt::adapter::PoaCore> core);
  ~POA() override;

  // Adapters. A nil manager creates a new one; one of another ORB is BAD_PARAM. If find_POA(name, true) does
  // not find the child, the adapter activator, if there is one, may create it. If another thread has asked it
  // already, or the child is being destroyed, find_POA waits, up to -ORBHoldTimeout.
  CORBA::object_reference<POA> create_POA(const std::string& name,
                                          CORBA::object_reference<POAManager> manager,
                                          const CORBA::PolicyList& policies);
  CORBA::object_reference<POA> find_POA(const std::string& name, bool activate_it);
  // Destroys the child adapters first. Accepts no more requests. When the current ones have finished,
  // releases the servants, and etherealizes them if requested. Waits for that if requested; inside an upcall
  // waiting throws BAD_INV_ORDER (OMG minor 3).
  void destroy(bool etherealize_objects, bool wait_for_completion);
  std::string the_name();
  CORBA::object_reference<POA> the_parent();  // nil for the root POA
  POAList the_children();
  CORBA::object_reference<POAManager> the_POAManager();
  CORBA::object_reference<POAManagerFactory> the_POAManagerFactory();
  CORBA::object_reference<AdapterActivator> the_activator();
  void the_activator(CORBA::object_reference<AdapterActivator> activator);
  std::vector<std::uint8_t> id();  // unique among the adapters of this ORB

  CORBA::object_reference<ThreadPolicy> create_thread_policy(ThreadPolicyValue value);
  CORBA::object_reference<LifespanPolicy> create_lifespan_policy(LifespanPolicyValue value);
  CORBA::object_reference<IdUniquenessPolicy> create_id_uniqueness_policy(IdUniquenessPolicyValue value);
  CORBA::object_reference<IdAssignmentPolicy> create_id_assignment_policy(IdAssignmentPolicyValue value);
  CORBA::object_reference<ImplicitActivationPolicy> create_implicit_activation_policy(
      ImplicitActivationPolicyValue value);
  CORBA::object_reference<ServantRetentionPolicy> create_servant_retention_policy(
      ServantRetentionPolicyValue value);
  CORBA::object_reference<RequestProcessingPolicy> create_request_processing_policy(
      RequestProcessingPolicyValue value);

  // Sources of servants. Throw WrongPolicy if the policies name another source.
  CORBA::object_reference<ServantManager> get_servant_manager();
  void set_servant_manager(
      CORBA::object_reference<ServantManager> manager);  // once only: BAD_INV_ORDER (OMG minor 6)
  CORBA::servant_reference<Servant> get_servant();       // the default servant; may throw NoServant
  void set_servant(CORBA::servant_reference<Servant> servant);

  // Activation. The adapter holds the servant until the object is deactivated.
  ObjectId activate_object(CORBA::servant_reference<Servant> servant);
  void activate_object_with_id(const ObjectId& id, CORBA::servant_reference<Servant> servant);
  // New requests no longer find the object. The servant is released after the current ones have finished.
  // Does not wait.
  void deactivate_object(const ObjectId& id);
  CORBA::object_reference<CORBA::Object> create_reference(const std::string& repository_id);
  CORBA::object_reference<CORBA::Object> create_reference_with_id(const ObjectId& id,
                                                                  const std::string& repository_id);

  // RTPortableServer (RT-CORBA 1.0, 4.10.3): objects with their own priority. Throw WrongPolicy unless the
  // priority model is SERVER_DECLARED, BAD_PARAM if the priority is out of range or matches no lane of the
  // pool.
  ObjectId activate_object_with_priority(CORBA::servant_reference<Servant> servant, std::int16_t priority);
  void activate_object_with_id_and_priority(const ObjectId& id, CORBA::servant_reference<Servant> servant,
                                            std::int16_t priority);
  CORBA::object_reference<CORBA::Object> create_reference_with_priority(const std::string& repository_id,
                                                                        std::int16_t priority);
  CORBA::object_reference<CORBA::Object> create_reference_with_id_and_priority(
      const ObjectId& id, const std::string& repository_id, std::int16_t priority);

  // PortableGroup::GOA (OMG MIOP 1.0): objects that are members of a group and receive its multicast
  // requests. `group` is a group reference, for example from a corbaloc:miop URL; others throw
  // NotAGroupObject. A member need not be active; requests that find it inactive are lost. It stays a member
  // until it is removed or the ORB shuts down. A thread per group address runs the requests, regardless of
  // -ORBServerConcurrency. TRANSIENT: the system refused to join; the text has the reason.
  ObjectId create_id_for_reference(CORBA::object_reference<CORBA::Object> group);  // id of a new member
  // The members in this adapter, in the order in which they joined.
  std::vector<ObjectId> reference_to_ids(CORBA::object_reference<CORBA::Object> group);
  void associate_reference_with_id(CORBA::object_reference<CORBA::Object> group, const ObjectId& id);
  // OBJECT_NOT_EXIST if it is not a member.
  void disassociate_reference_with_id(CORBA::object_reference<CORBA::Object> group, const ObjectId& id);

  // Conversions. Throw ObjectNotActive or ServantNotActive if they need an active object, WrongAdapter for a
  // reference of another adapter.
  ObjectId servant_to_id(CORBA::servant_reference<Servant> servant);
  CORBA::object_reference<CORBA::Object> servant_to_reference(CORBA::servant_reference<Servant> servant);
  CORBA::servant_reference<Servant> reference_to_servant(CORBA::object_reference<CORBA::Object> reference);
  ObjectId reference_to_id(CORBA::object_reference<CORBA::Object> reference);
  CORBA::servant_reference<Servant> id_to_servant(const ObjectId& id);
  CORBA::object_reference<CORBA::Object> id_to_reference(const ObjectId& id);

 private:
  ObjectId activate_new(CORBA::servant_reference<Servant> servant, std::int16_t priority);
  void activate_named(const ObjectId& id, CORBA::servant_reference<Servant> servant, std::int16_t priority);
  CORBA::object_reference<CORBA::Object> refer_to(const ObjectId& id, const std::string& repository_id,
                                                  std::int16_t priority);

  std::shared_ptr<takt::reference::References> references_;
  std::shared_ptr<takt::adapter::PoaCore> core_;
};

using POAList = POA::POAList;

}  // namespace PortableServer

namespace RTPortableServer {
using POA = PortableServer::POA;
}  // namespace RTPortableServer

namespace PortableGroup {
using GOA = PortableServer::POA;
using IDs = std::vector<PortableServer::ObjectId>;
}  // namespace PortableGroup
