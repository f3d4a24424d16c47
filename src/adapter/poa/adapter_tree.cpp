#include "adapter/poa/adapter_tree.h"

#include <algorithm>
#include <random>
#include <utility>

#include "adapter/poa/default_adapter.h"
#include "adapter/poa/upcall.h"
#include "reference/forwarder.h"

namespace takt::adapter {

namespace {

// An adapter that an activator is making, or a descendant of one, takes no requests until the activator
// returns. Where activations are nested, the outer one counts.
AdapterActivation* activation_of(const PoaCore& parent, const std::string& child) {
  if (parent.activation) return parent.activation;
  const auto asked = parent.activations.find(child);
  return asked != parent.activations.end() ? asked->second : nullptr;
}

// Says that the calling thread makes the root.
class MakesRoot {
 public:
  explicit MakesRoot(std::atomic<std::thread::id>& maker) : maker_(maker) {
    maker_.store(std::this_thread::get_id(), std::memory_order_relaxed);
  }
  ~MakesRoot() { maker_.store({}, std::memory_order_relaxed); }
  MakesRoot(const MakesRoot&) = delete;
  MakesRoot& operator=(const MakesRoot&) = delete;

 private:
  std::atomic<std::thread::id>& maker_;
};

}  // namespace

AdapterTree::AdapterTree(reference::References& own_references, server::Server& own_server)
    : references(own_references), server(own_server), instance(std::random_device()()), keys(instance) {}

AdapterTree::~AdapterTree() {
  forget_adapters(*this);
  shut_down(false);
}

std::shared_ptr<PoaCore> AdapterTree::root() {
  if (root_maker_.load(std::memory_order_relaxed) == std::this_thread::get_id())
    throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO, "the root adapter is still being made");
  std::lock_guard one_at_a_time(root_mutex_);
  if (root_ || down_) return root_;
  const MakesRoot makes(root_maker_);
  const UpcallObserver::Aside aside;  // interceptors of references are told of the adapter
  root_ = make_poa(nullptr, "RootPOA", make_manager(),
                   root_policies(options.lookups.of("", options.lookup), extension));
  remember_adapters(*this);
  return root_;
}

void AdapterTree::adapters_complete() {
  completeness.complete();
  if (when_complete) when_complete();
}

void AdapterTree::shut_down(bool wait_for_completion) {
  std::shared_ptr<PoaCore> root_poa;
  {
    std::lock_guard lock(root_mutex_);
    down_ = true;
    root_poa = std::move(root_);
  }
  for (const auto& manager : managers()) manager->change(ManagerCore::State::INACTIVE);
  if (root_poa) destroy_poa(*root_poa, true, wait_for_completion);
}

CORBA::object_reference<CORBA::Object> AdapterTree::reference(const PoaCore& poa,
                                                              const std::string& repository_id, ByteView key,
                                                              std::int16_t priority) const {
  const auto where = poa.policies.publication(priority);
  // An adapter with endpoints or priorities of its own publishes those, which a forwarder does not know.
  const reference::Forwarder* const forwarder =
      poa.policies.persistent() && !where ? references.forwarder() : nullptr;
  auto made = forwarder ? forwarder->make_reference(repository_id, key)
                        : references.make_reference(repository_id, key, where ? &*where : nullptr);
  if (watcher) made = watcher->publish(poa, std::move(made), key);
  return reference::make_stub<CORBA::Object>(std::move(made));
}

std::shared_ptr<ManagerCore> AdapterTree::make_manager() {
  std::shared_ptr<ManagerCore> made;
  while (!made) made = make_manager("POAManager-" + std::to_string(++next_manager_));
  return made;
}

std::shared_ptr<ManagerCore> AdapterTree::make_manager(const std::string& id) {
  std::lock_guard lock(table.mutex);
  std::erase_if(managers_, [](const auto& manager) { return manager.expired(); });
  for (const auto& manager : managers_)
    if (auto known = manager.lock(); known && known->id() == id) return nullptr;
  auto made = std::make_shared<ManagerCore>(*this, id);
  managers_.push_back(made);
  return made;
}

std::vector<std::shared_ptr<ManagerCore>> AdapterTree::managers() {
  std::lock_guard lock(table.mutex);
  std::vector<std::shared_ptr<ManagerCore>> all;
  for (const auto& manager : managers_)
    if (auto known = manager.lock()) all.push_back(std::move(known));
  return all;
}

void AdapterTree::require_new_child(const PoaCore* parent, const std::string& name) const {
  if (!parent) return;
  if (parent->destroying)
    throw CORBA::BAD_INV_ORDER(CORBA::omg_minor(17), CORBA::COMPLETED_NO, "the adapter is being destroyed");
  if (parent->children.contains(name)) throw PortableServer::POA::AdapterAlreadyExists();
}

[[gnu::cold]] std::shared_ptr<PoaCore> AdapterTree::make_poa(const std::shared_ptr<PoaCore>& parent,
                                                             const std::string& name,
                                                             std::shared_ptr<ManagerCore> manager,
                                                             const PolicySet& policies) {
  std::unique_lock lock(table.mutex);
  require_new_child(parent.get(), name);
  std::shared_ptr<KnownServants> by_table;
  if (policies.lookup.servant == Lookup::perfect) by_table = paths_.servants_by(policies.lookup.servants);
  auto poa = std::make_shared<PoaCore>(*this, parent, name, policies, std::move(manager), by_table);
  if (watcher) {
    lock.unlock();
    poa->watched = watcher->begin(*poa);
    lock.lock();
    require_new_child(parent.get(), name);
  }
  AdapterActivation* const by = parent ? activation_of(*parent, name) : nullptr;
  if (by) by->made.reserve(by->made.size() + 1);
  PoaSlot* slot = table.poas.take();
  if (!slot) throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO, "more adapters than one ORB can have");
  try {
    if (parent) parent->children.emplace(name, poa);
    paths_.insert(policies, poa->path, slot->index, by_table.get());
  } catch (...) {
    if (parent) parent->children.erase(name);
    table.poas.give_back(*slot);
    throw;
  }
  slot->poa = poa;
  const Lookup servants = policies.lookup.servant;
  slot->by_slots.store(servants == Lookup::active || servants == Lookup::delayered ? poa.get() : nullptr);
  poa->self = {slot->index, slot->turnstile.generation()};
  if (by) {
    by->made.push_back(poa);
    poa->begin_preparation(*by);
  }
  slot->turnstile.open();
  return poa;
}

// A child whose destruction has not begun; null if there is none.
[[gnu::cold]] std::shared_ptr<PoaCore> AdapterTree::remaining_child(const PoaCore& poa) {
  std::lock_guard lock(table.mutex);
  for (const auto& child : poa.children)
    if (!child.second->destroying) return child.second;
  return nullptr;
}

// Destroys children first, so that etherealization still finds the adapter's ancestors. Does not allocate,
// since what has begun must end.
[[gnu::cold]] void AdapterTree::destroy_poa(PoaCore& poa, bool etherealize, bool wait_for_completion) {
  if (wait_for_completion) refuse_in_upcall();
  const auto keep = poa.shared_from_this();
  bool first = false;
  {
    std::lock_guard lock(table.mutex);
    first = !poa.destroying;
    if (first) poa.etherealizing = etherealize;
    poa.destroying = true;
  }
  while (const auto child = remaining_child(poa)) destroy_poa(*child, etherealize, wait_for_completion);
  if (first) {
    if (watcher) watcher->ends(poa);
    table.deactivate_all(poa);
    PoaSlot& slot = table.poas.at(poa.self.index);
    if (slot.turnstile.close(poa.self.generation)) table.leave(slot);
    if (watcher) watcher->ended(poa);
  }
  if (!wait_for_completion) return;
  std::unique_lock lock(table.mutex);
  table.wait(lock, [&] { return poa.left_for_good && poa.objects == 0 && poa.children.empty(); });
}

void AdapterTree::Released::add(std::shared_ptr<PoaCore> poa) {
  PoaCore& added = *poa;
  added.ended.next = std::exchange(first_, std::move(poa));
}

[[gnu::cold]] AdapterTree::Released::~Released() {
  while (first_) {
    const auto poa = std::move(first_);
    const PoaCore::Ended ended = std::move(poa->ended);
    first_ = ended.next;
    poa->tree.table.close_default_servant(ended.default_servant);
  }
}

[[gnu::cold]] void AdapterTree::finish_if_empty(PoaCore& poa, Released& released) {
  if (!poa.left_for_good || poa.objects != 0 || !poa.children.empty()) return;
  poa.gone = true;
  PoaSlot& slot = table.poas.at(poa.self.index);
  paths_.erase(poa.policies, poa.path, slot.index);
  if (poa.policies.extension) poa.policies.extension->ended();
  poa.ended = {.activator = std::move(poa.activator),
               .servant_activator = std::move(poa.servant_activator),
               .servant_locator = std::move(poa.servant_locator),
               .default_servant = table.take_default_servant(poa)};
  released.add(std::move(slot.poa));
  table.poas.give_back(slot);
  if (!poa.parent) return;
  poa.parent->children.erase(poa.name);
  finish_if_empty(*poa.parent, released);
}

void AdapterTree::wait_until_idle(const ManagerCore& manager) {
  refuse_in_upcall();
  std::unique_lock lock(table.mutex);
  table.wait(lock, [&] {
    for (std::uint32_t i = 0; i < table.poas.used(); ++i)
      if (const auto& poa = table.poas.at(i).poa; poa && poa->manager.get() == &manager && !table.idle(*poa))
        return false;
    return true;
  });
}

bool AdapterTree::wait_until_gone(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(table.mutex);
  const auto gone = [&] {
    for (std::uint32_t i = 0; i < table.poas.used(); ++i)
      if (table.poas.at(i).poa) return false;
    return true;
  };
  return table.wait(lock, gone, deadline);
}

void AdapterTree::etherealize_all(const ManagerCore& manager) {
  std::vector<std::shared_ptr<PoaCore>> concerned;
  {
    std::lock_guard lock(table.mutex);
    for (std::uint32_t i = 0; i < table.poas.used(); ++i)
      if (const auto& poa = table.poas.at(i).poa;
          poa && poa->manager.get() == &manager && poa->servant_activator)
        concerned.push_back(poa);
  }
  for (const auto& poa : concerned) table.deactivate_all(*poa);
}

PoaSlot* AdapterTree::enter_poa(const KeyParts& key) {
  if (key.path.empty() && key.transient) return table.poas.enter(key.poa.index, key.poa.generation);
  PoaSlot* found = nullptr;
  const auto accepts = [&](std::uint32_t index) {
    PoaSlot* slot = table.poas.enter_any(index);
    if (!slot) return false;
    const PoaCore& poa = *slot->poa;
    if (key.transient != poa.policies.persistent() && text_of(key.path) == poa.path &&
        (!key.transient || key.poa == poa.self)) {
      found = slot;
      return true;
    }
    table.leave(*slot);
    return false;
  };
  if (!paths_.find(key.adapter, key.path, accepts) && !key.transient && key.adapter != Lookup::dynamic)
    paths_.find(Lookup::dynamic, key.path, accepts);
  return found;
}

ActiveObject* AdapterTree::enter_in_layers(const ByteView& key) {
  const auto parts = keys.read(key);
  PoaSlot* slot = parts ? enter_poa(*parts) : nullptr;
  if (!slot) return nullptr;
  ActiveObject* object = table.enter(*slot->poa, *parts);
  table.leave(*slot);
  return object;
}

bool AdapterTree::in_upcall() const {
  const UpcallFrame* upcall = UpcallFrame::innermost();
  while (upcall && &poa_of(*upcall).tree != this) upcall = upcall->outer();
  return upcall || root_maker_.load(std::memory_order_relaxed) == std::this_thread::get_id() ||
         Consulting::in(*this);
}

bool AdapterTree::Consulting::in(const AdapterTree& tree) {
  const Consulting* one = innermost_;
  while (one && &one->tree_ != &tree) one = one->outer_;
  return one != nullptr;
}

bool AdapterTree::Consulting::locks(const AdapterTree& tree) {
  const Consulting* one = innermost_;
  while (one && (&one->tree_ != &tree || one->lock_ == Lock::none)) one = one->outer_;
  return one != nullptr;
}

namespace {
[[noreturn]] void throw_in_request() {
  throw CORBA::BAD_INV_ORDER(CORBA::omg_minor(3), CORBA::COMPLETED_NO,
                             "waiting for requests to complete from inside a request would never end");
}
}  // namespace

void AdapterTree::refuse_in_upcall() const {
  if (in_upcall()) throw_in_request();
}
void AdapterTree::refuse_in_request() const {
  if (in_request()) throw_in_request();
}

}  // namespace takt::adapter
