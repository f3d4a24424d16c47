// POA managers, which control whether a group of adapters accepts requests (CORBA 3.0.3, 11.3.2).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <takt/adapter/exceptions.h>
#include <takt/reference/local_object.h>
#include <takt/reference/policy.h>

namespace takt::adapter {
class ManagerCore;
class AdapterTree;
}  // namespace takt::adapter

namespace takt::reference {
class References;
}  // namespace takt::reference

namespace PortableServer {

// Any thread. A new manager is HOLDING. State changes throw AdapterInactive once it is INACTIVE. With
// `wait_for_completion` they return when its adapters have no more upcalls; inside an upcall that throws
// BAD_INV_ORDER (OMG minor 3).
class POAManager final : public virtual CORBA::LocalObject {
 public:
  using _ref_type = CORBA::object_reference<POAManager>;
  enum class State : std::uint32_t { HOLDING, ACTIVE, DISCARDING, INACTIVE };
  TAKT_ADAPTER_EXCEPTION(POAManager, AdapterInactive, "the manager was deactivated, which is for good")

  // For the adapter's own use.
  POAManager(std::shared_ptr<takt::reference::References> references,
             std::shared_ptr<takt::adapter::ManagerCore> core);
  ~POAManager() override;

  void activate();
  // Requests wait up to -ORBHoldTimeout, at most -ORBHeldRequests of them; beyond these limits they get
  // TRANSIENT.
  void hold_requests(bool wait_for_completion);
  // Requests get TRANSIENT (OMG minor 1).
  void discard_requests(bool wait_for_completion);
  // Requests get OBJ_ADAPTER (OMG minor 1). Final.
  void deactivate(bool etherealize_objects, bool wait_for_completion);
  State get_state();
  std::string get_id();

 private:
  friend class POA;
  std::shared_ptr<takt::reference::References> references_;
  std::shared_ptr<takt::adapter::ManagerCore> core_;
};

class POAManagerFactory final : public virtual CORBA::LocalObject {
 public:
  using _ref_type = CORBA::object_reference<POAManagerFactory>;
  using POAManagerSeq = std::vector<CORBA::object_reference<POAManager>>;
  TAKT_ADAPTER_EXCEPTION(POAManagerFactory, ManagerAlreadyExists, "there is a manager of that name")

  POAManagerFactory(std::shared_ptr<takt::reference::References> references,
                    takt::adapter::AdapterTree& tree);
  ~POAManagerFactory() override;

  // Throws PolicyError for any policy: managers have none.
  CORBA::object_reference<POAManager> create_POAManager(const std::string& id,
                                                        const CORBA::PolicyList& policies);
  POAManagerSeq list();
  // Nil if there is none.
  CORBA::object_reference<POAManager> find(const std::string& id);

 private:
  std::shared_ptr<takt::reference::References> references_;
  takt::adapter::AdapterTree& tree_;
};

}  // namespace PortableServer
