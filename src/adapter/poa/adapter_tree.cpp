// The adapters of an ORB: making, finding and destroying them, and their managers.
#include <algorithm>

#include "adapter/object_adapter.h"

namespace takt::adapter {

namespace {

// CORBA 3.0.3, 11.3.3.1.
bool ask(PortableServer::AdapterActivator& activator, CORBA::object_reference<PortableServer::POA> parent,
         const std::string& name) {
  try {
    return activator.unknown_adapter(std::move(parent), name);
  } catch (const CORBA::SystemException&) {
    throw CORBA::OBJ_ADAPTER(CORBA::omg_minor(1), CORBA::COMPLETED_NO,
                             "the adapter activator failed to make the adapter " + name);
  }
}

}  // namespace

std::shared_ptr<ManagerCore> ObjectAdapter::make_manager() {
  std::shared_ptr<ManagerCore> made;
  while (!made) made = make_manager("POAManager-" + std::to_string(++next_manager_));
  return made;
}

std::shared_ptr<ManagerCore> ObjectAdapter::make_manager(const std::string& id) {
  std::lock_guard lock(mutex);
  std::erase_if(managers_, [](const auto& manager) { return manager.expired(); });
  for (const auto& manager : managers_)
    if (auto known = manager.lock(); known && known->id() == id) return nullptr;
  auto made = std::make_shared<ManagerCore>(*this, id);
  managers_.push_back(made);
  return made;
}

std::vector<std::shared_ptr<ManagerCore>> ObjectAdapter::managers() {
  std::lock_guard lock(mutex);
  std::vector<std::shared_ptr<ManagerCore>> all;
  for (const auto& manager : managers_)
    if (auto known = manager.lock()) all.push_back(std::move(known));
  return all;
}

std::shared_ptr<PoaCore> ObjectAdapter::make_poa(const std::shared_ptr<PoaCore>& parent,
                                                 const std::string& name,
                                                 std::shared_ptr<ManagerCore> manager,
                                                 const PolicySet& policies) {
  std::lock_guard lock(mutex);
  if (parent && parent->destroying)
    throw CORBA::BAD_INV_ORDER(CORBA::omg_minor(17), CORBA::COMPLETED_NO, "the adapter is being destroyed");
  if (parent && parent->children.contains(name)) throw PortableServer::POA::AdapterAlreadyExists();
  std::shared_ptr<KnownServants> by_table;
  if (policies.lookup.servant == Lookup::perfect) by_table = paths_.servants_by(policies.lookup.servants);
  auto poa = std::make_shared<PoaCore>(*this, parent, name, policies, std::move(manager), by_table);
  PoaSlot* slot = poas.take();
  if (!slot) throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO, "more adapters than one ORB can have");
  try {
    paths_.insert(policies, poa->path, slot->index, by_table.get());
  } catch (...) {
    poas.give_back(*slot);
    throw;
  }
  slot->poa = poa;
  slot->by_slots.store(
      policies.lookup.servant == Lookup::active || policies.lookup.servant == Lookup::delayered ? poa.get()
                                                                                                : nullptr);
  poa->self = {slot->index, slot->turnstile.generation()};
  slot->turnstile.open();
  if (parent) parent->children.emplace(name, poa);
  return poa;
}

std::shared_ptr<PoaCore> ObjectAdapter::find_child(const std::shared_ptr<PoaCore>& parent,
                                                   const std::string& name, bool activate) {
  CORBA::object_reference<PortableServer::AdapterActivator> activator;
  {
    std::lock_guard lock(mutex);
    const auto found = parent->children.find(name);
    if (found != parent->children.end() && !found->second->destroying) return found->second;
    activator = parent->activator;
  }
  if (!activate || !activator) return nullptr;
  if (!ask(*activator, parent->reference(), name)) return nullptr;
  return find_child(parent, name, false);
}

// From the leaves up, so that a servant that goes finds its adapter's ancestors still there.
void ObjectAdapter::destroy_poa(PoaCore& poa, bool etherealize, bool wait_for_completion) {
  if (wait_for_completion) refuse_in_upcall();
  const auto keep = poa.shared_from_this();
  std::vector<std::shared_ptr<PoaCore>> children;
  bool first = false;
  {
    std::lock_guard lock(mutex);
    first = !poa.destroying;
    if (first) poa.etherealizing = etherealize;
    poa.destroying = true;
    for (const auto& child : poa.children) children.push_back(child.second);
  }
  for (const auto& child : children) destroy_poa(*child, etherealize, wait_for_completion);
  if (first) {
    close_objects(poa);
    PoaSlot& slot = poas.at(poa.self.index);
    if (slot.turnstile.close(poa.self.generation)) leave(slot);
  }
  if (!wait_for_completion) return;
  std::unique_lock lock(mutex);
  wait(lock, [&] { return poa.left_for_good && poa.objects == 0 && poa.children.empty(); });
}

void ObjectAdapter::close_objects(PoaCore& poa) {
  std::vector<SlotName> names;
  {
    std::lock_guard lock(mutex);
    names.reserve(poa.objects);
    for (std::uint32_t i = poa.first_object; i != SlotTable<ActiveObject>::none;
         i = objects.at(i).next_of_poa)
      names.push_back(name_of(objects.at(i)));
  }
  for (const SlotName& name : names) deactivate(name);
}

void ObjectAdapter::finish(PoaSlot& slot) {
  Released released;
  std::lock_guard lock(mutex);
  slot.poa->left_for_good = true;
  finish_if_empty(*slot.poa, released);
  changed_.notify_all();
}

void ObjectAdapter::finish_if_empty(PoaCore& poa, Released& released) {
  if (!poa.left_for_good || poa.objects != 0 || !poa.children.empty()) return;
  PoaSlot& slot = poas.at(poa.self.index);
  paths_.erase(poa.policies, poa.path, slot.index);
  released.push_back(std::move(slot.poa));
  released.push_back(to_close_default_servant(poa));
  released.push_back(std::move(poa.servant_activator).shared());
  released.push_back(std::move(poa.servant_locator).shared());
  released.push_back(std::move(poa.activator).shared());
  poas.give_back(slot);
  if (!poa.parent) return;
  poa.parent->children.erase(poa.name);
  finish_if_empty(*poa.parent, released);
}

void ObjectAdapter::wait_until_idle(const ManagerCore& manager) {
  refuse_in_upcall();
  std::unique_lock lock(mutex);
  wait(lock, [&] {
    for (std::uint32_t i = 0; i < poas.used(); ++i)
      if (const auto& poa = poas.at(i).poa; poa && poa->manager.get() == &manager && !idle(*poa))
        return false;
    return true;
  });
}

void ObjectAdapter::etherealize_all(const ManagerCore& manager) {
  std::vector<std::shared_ptr<PoaCore>> concerned;
  {
    std::lock_guard lock(mutex);
    for (std::uint32_t i = 0; i < poas.used(); ++i)
      if (const auto& poa = poas.at(i).poa; poa && poa->manager.get() == &manager && poa->servant_activator)
        concerned.push_back(poa);
  }
  for (const auto& poa : concerned) close_objects(*poa);
}

PoaSlot* ObjectAdapter::enter_poa(const KeyParts& key) {
  if (key.path.empty() && key.transient) return poas.enter(key.poa.index, key.poa.generation);
  PoaSlot* found = nullptr;
  const auto accepts = [&](std::uint32_t index) {
    PoaSlot* slot = poas.enter_any(index);
    if (!slot) return false;
    const PoaCore& poa = *slot->poa;
    if (key.transient != poa.policies.persistent() && text_of(key.path) == poa.path &&
        (!key.transient || key.poa == poa.self)) {
      found = slot;
      return true;
    }
    leave(*slot);
    return false;
  };
  if (!paths_.find(key.adapter, key.path, accepts) && !key.transient && key.adapter != Lookup::dynamic)
    paths_.find(Lookup::dynamic, key.path, accepts);
  return found;
}

}  // namespace takt::adapter
