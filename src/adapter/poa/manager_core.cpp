#include "adapter/poa/poa_core.h"

#include "adapter/poa/adapter_tree.h"

namespace takt::adapter {

bool ManagerCore::change(State to) {
  std::unique_lock lock(mutex_);
  const State before = state_.load();
  if (before == State::INACTIVE) return false;
  state_.store(to);
  changed_.notify_all();
  lock.unlock();
  if (tree_.watcher && before != to) tree_.watcher->changed(*this, to);
  return true;
}

void ManagerCore::wait_for_admission() {
  std::unique_lock lock(mutex_);
  if (state_.load() == State::HOLDING) {
    if (held_ >= tree_.options.held_requests)
      throw CORBA::TRANSIENT(
          CORBA::omg_minor(1), CORBA::COMPLETED_NO,
          "the POA manager holds requests, and as many wait already as -ORBHeldRequests allows");
    ++held_;
    changed_.wait_for(lock, tree_.server.options.hold_timeout.get(),
                      [this] { return state_.load() != State::HOLDING; });
    --held_;
  }
  switch (state_.load()) {
    case State::ACTIVE:
      return;
    case State::HOLDING:
      throw CORBA::TRANSIENT(
          CORBA::omg_minor(1), CORBA::COMPLETED_NO,
          "the POA manager held the request for longer than -ORBHoldTimeout: did the program call "
          "the_POAManager()->activate()?");
    case State::DISCARDING:
      throw CORBA::TRANSIENT(CORBA::omg_minor(1), CORBA::COMPLETED_NO, "the POA manager discards requests");
    case State::INACTIVE:
      break;
  }
  throw CORBA::OBJ_ADAPTER(CORBA::omg_minor(1), CORBA::COMPLETED_NO, "the POA manager is inactive");
}

CORBA::object_reference<PortableServer::POAManager> ManagerCore::reference(
    const std::shared_ptr<ManagerCore>& self) {
  std::lock_guard lock(mutex_);
  auto manager = reference_.lock();
  if (!manager) {
    manager = std::make_shared<PortableServer::POAManager>(tree_.orb(), self);
    reference_ = manager;
  }
  return CORBA::object_reference<PortableServer::POAManager>(std::move(manager));
}

}  // namespace takt::adapter

namespace PortableServer {

using takt::adapter::ManagerCore;

POAManager::POAManager(std::shared_ptr<takt::reference::References> references,
                       std::shared_ptr<ManagerCore> core)
    : references_(std::move(references)), core_(std::move(core)) {}
POAManager::~POAManager() = default;

void POAManager::activate() {
  if (!core_->change(State::ACTIVE)) throw AdapterInactive();
  core_->tree().manager_released();
}

void POAManager::hold_requests(bool wait_for_completion) {
  if (wait_for_completion) core_->tree().refuse_in_upcall();
  if (!core_->change(State::HOLDING)) throw AdapterInactive();
  if (wait_for_completion) core_->tree().wait_until_idle(*core_);
}

void POAManager::discard_requests(bool wait_for_completion) {
  if (wait_for_completion) core_->tree().refuse_in_upcall();
  if (!core_->change(State::DISCARDING)) throw AdapterInactive();
  core_->tree().manager_released();
  if (wait_for_completion) core_->tree().wait_until_idle(*core_);
}

void POAManager::deactivate(bool etherealize_objects, bool wait_for_completion) {
  if (wait_for_completion) core_->tree().refuse_in_upcall();
  if (!core_->change(State::INACTIVE)) throw AdapterInactive();
  core_->tree().manager_released();
  if (etherealize_objects) core_->tree().etherealize_all(*core_);
  if (wait_for_completion) core_->tree().wait_until_idle(*core_);
}

POAManager::State POAManager::get_state() { return core_->state(); }
std::string POAManager::get_id() { return core_->id(); }

POAManagerFactory::POAManagerFactory(std::shared_ptr<takt::reference::References> references,
                                     takt::adapter::AdapterTree& tree)
    : references_(std::move(references)), tree_(tree) {}
POAManagerFactory::~POAManagerFactory() = default;

CORBA::object_reference<POAManager> POAManagerFactory::create_POAManager(const std::string& id,
                                                                         const CORBA::PolicyList& policies) {
  if (!policies.empty()) throw CORBA::PolicyError(CORBA::BAD_POLICY);
  const auto made = tree_.make_manager(id);
  if (!made) throw ManagerAlreadyExists();
  return made->reference(made);
}

std::vector<CORBA::object_reference<POAManager>> POAManagerFactory::list() {
  std::vector<CORBA::object_reference<POAManager>> all;
  for (const auto& manager : tree_.managers()) all.push_back(manager->reference(manager));
  return all;
}

CORBA::object_reference<POAManager> POAManagerFactory::find(const std::string& id) {
  for (const auto& manager : tree_.managers())
    if (manager->id() == id) return manager->reference(manager);
  return nullptr;
}

}  // namespace PortableServer
