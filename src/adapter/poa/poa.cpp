// Operations on adapters; those on objects are in poa_objects.cpp.
#include <takt/adapter/poa.h>

#include "adapter/poa/adapter_tree.h"
#include "server/bidirectional_connections.h"

namespace PortableServer {

using takt::adapter::AdapterTree;
using takt::adapter::PoaCore;

POA::POA(std::shared_ptr<takt::reference::References> references, std::shared_ptr<PoaCore> core)
    : references_(std::move(references)), core_(std::move(core)) {}
POA::~POA() = default;

CORBA::object_reference<POA> POA::create_POA(const std::string& name,
                                             CORBA::object_reference<POAManager> manager,
                                             const CORBA::PolicyList& policies) {
  AdapterTree& tree = core_->tree;
  const std::string path = takt::adapter::append_to_path(core_->path, name);
  const auto lookup = tree.options.lookups.of(path, tree.options.lookup);
  const auto set = takt::adapter::policy_set_of(policies, lookup, tree.extension, tree.watcher);
  if (const auto* seal = tree.keys.seal(); seal && set.persistent() && !seal->lasting())
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                           "a persistent POA's keys would not outlive this process's random secret: give "
                           "-ORBKeyMAC one that lasts by -ORBKeySecretFile");
  if (manager && &manager->core_->tree() != &tree)
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "the POA manager is of another ORB");
  const auto made = tree.make_poa(core_, name, manager ? manager->core_ : tree.make_manager(), set);
  if (set.bidirectional && tree.server.bidirectional) tree.server.bidirectional->accept_from_same_address();
  return made->reference();
}

CORBA::object_reference<POA> POA::find_POA(const std::string& name, bool activate_it) {
  core_->require_present();
  const auto found = core_->tree.find_child(core_, name, activate_it);
  if (!found) throw AdapterNonExistent();
  return found->reference();
}

void POA::destroy(bool etherealize_objects, bool wait_for_completion) {
  core_->tree.destroy_poa(*core_, etherealize_objects, wait_for_completion);
}

std::string POA::the_name() { return core_->name; }

CORBA::object_reference<POA> POA::the_parent() {
  return core_->parent ? core_->parent->reference() : nullptr;
}

POA::POAList POA::the_children() {
  core_->require_present();
  std::vector<std::shared_ptr<PoaCore>> children;
  {
    std::lock_guard lock(core_->tree.table.mutex);
    for (const auto& [name, child] : core_->children) children.push_back(child);
  }
  POAList list;
  for (const auto& child : children) list.push_back(child->reference());
  return list;
}

CORBA::object_reference<POAManager> POA::the_POAManager() {
  return core_->manager->reference(core_->manager);
}

CORBA::object_reference<POAManagerFactory> POA::the_POAManagerFactory() {
  return CORBA::make_reference<POAManagerFactory>(references_, core_->tree);
}

CORBA::object_reference<AdapterActivator> POA::the_activator() {
  core_->require_present();
  std::lock_guard lock(core_->tree.table.mutex);
  return core_->activator;
}

void POA::the_activator(CORBA::object_reference<AdapterActivator> activator) {
  core_->require_present();
  std::lock_guard lock(core_->tree.table.mutex);
  core_->activator.swap(activator);
}

std::vector<std::uint8_t> POA::id() { return takt::adapter::id_of_slot(core_->self); }

#define TAKT_CREATE_POLICY(FUNCTION, POLICY)                           \
  CORBA::object_reference<POLICY> POA::FUNCTION(POLICY##Value value) { \
    return CORBA::make_reference<POLICY>(value);                       \
  }
TAKT_CREATE_POLICY(create_thread_policy, ThreadPolicy)
TAKT_CREATE_POLICY(create_lifespan_policy, LifespanPolicy)
TAKT_CREATE_POLICY(create_id_uniqueness_policy, IdUniquenessPolicy)
TAKT_CREATE_POLICY(create_id_assignment_policy, IdAssignmentPolicy)
TAKT_CREATE_POLICY(create_implicit_activation_policy, ImplicitActivationPolicy)
TAKT_CREATE_POLICY(create_servant_retention_policy, ServantRetentionPolicy)
TAKT_CREATE_POLICY(create_request_processing_policy, RequestProcessingPolicy)
#undef TAKT_CREATE_POLICY

CORBA::object_reference<ServantManager> POA::get_servant_manager() {
  core_->require_present();
  if (!core_->policies.servant_manager()) throw WrongPolicy();
  std::lock_guard lock(core_->tree.table.mutex);
  if (core_->servant_activator) return core_->servant_activator;
  return core_->servant_locator;
}

void POA::set_servant_manager(CORBA::object_reference<ServantManager> manager) {
  core_->require_present();
  if (!core_->policies.servant_manager()) throw WrongPolicy();
  const auto activator = IDL::traits<ServantActivator>::narrow(manager);
  const auto locator = IDL::traits<ServantLocator>::narrow(manager);
  const bool fits = core_->policies.retain() ? static_cast<bool>(activator) : static_cast<bool>(locator);
  if (!fits)
    throw CORBA::OBJ_ADAPTER(CORBA::omg_minor(4), CORBA::COMPLETED_NO,
                             "an adapter that retains servants takes a servant activator, another a locator");
  std::lock_guard lock(core_->tree.table.mutex);
  if (core_->servant_activator || core_->servant_locator)
    throw CORBA::BAD_INV_ORDER(CORBA::omg_minor(6), CORBA::COMPLETED_NO,
                               "the adapter has a servant manager already");
  if (core_->policies.retain())
    core_->servant_activator = activator;
  else
    core_->servant_locator = locator;
  core_->has_servant_manager.store(true, std::memory_order_release);
}

CORBA::servant_reference<Servant> POA::get_servant() {
  core_->require_present();
  if (!core_->policies.default_servant()) throw WrongPolicy();
  const auto servant = core_->tree.table.default_servant_of(*core_);
  if (!servant) throw NoServant();
  return CORBA::servant_reference<Servant>(servant);
}

void POA::set_servant(CORBA::servant_reference<Servant> servant) {
  core_->require_present();
  if (!core_->policies.default_servant()) throw WrongPolicy();
  core_->tree.table.set_default_servant(*core_, servant.shared());
}

}  // namespace PortableServer
