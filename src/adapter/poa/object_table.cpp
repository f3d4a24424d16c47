#include "adapter/poa/object_table.h"

#include <algorithm>
#include <array>
#include <utility>

#include <takt/adapter/poa.h>

#include "adapter/poa/adapter_tree.h"
#include "adapter/poa/poa_core.h"

namespace takt::adapter {

ObjectTable::ObjectTable() {
  objects.owner = poas.owner = default_servants_.owner = this;
  objects.leave_mismatched = [](void* self, ActiveObject& object) {
    static_cast<ObjectTable*>(self)->leave(object);
  };
  poas.leave_mismatched = [](void* self, PoaSlot& slot) { static_cast<ObjectTable*>(self)->leave(slot); };
  default_servants_.leave_mismatched = [](void* self, DefaultServant& servant) {
    static_cast<ObjectTable*>(self)->leave(servant);
  };
}

ActiveObject& ObjectTable::add(PoaCore& poa, std::shared_ptr<PortableServer::Servant> servant,
                               std::unique_ptr<const ObjectId> id) {
  poa.reserve_for_turn();
  ActiveObject* object = objects.take();
  if (!object) throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO, "more active objects than one ORB can have");
  object->servant = std::move(servant);
  object->poa = &poa;
  object->id = std::move(id);
  object->priority = -1;
  object->schedule_row = 0;
  bool has_links = false;
  try {
    ServantLinks::add(*object);
    has_links = true;
    poa.enlist(*object);
  } catch (...) {  // out of memory
    if (has_links) {
      poa.remove_from_lookups(*object);
      ServantLinks::remove(*object);
    }
    empty(*object);
    throw;
  }
  poa.link(*object);
  return *object;
}

// Call with `mutex` held.
ObjectTable::Contents ObjectTable::empty(ActiveObject& object) {
  Contents contents{std::move(object.servant), std::move(object.id)};
  object.poa = nullptr;
  objects.give_back(object);
  return contents;
}

ActiveObject* ObjectTable::enter_named(PoaCore& poa, SlotName name) {
  ActiveObject* object = objects.enter(name.index, name.generation);
  if (!object || (object->poa == &poa && !object->id)) return object;
  leave(*object);
  return nullptr;
}

ActiveObject* ObjectTable::enter(PoaCore& poa, ByteView id, std::uint32_t hint) {
  return enter_by(*poa.by_id, poa, id, hint);
}

ActiveObject* ObjectTable::enter(PoaCore& poa, const KeyParts& key) {
  if (key.id.empty() && poa.policies.ids_name_slots()) return enter_named(poa, key.object);
  return enter(poa, key.id, key.object.index);
}

ActiveObject* ObjectTable::enter_to_change(PoaCore& poa, ByteView id) {
  return enter_by(*poa.by_id_for_changes, poa, id, IdLookup::no_hint);
}

ActiveObject* ObjectTable::enter_by(const IdLookup& lookup, PoaCore& poa, ByteView id, std::uint32_t hint) {
  if (poa.policies.ids_name_slots())
    if (const auto name = slot_of_id(id))
      if (ActiveObject* object = enter_named(poa, *name)) return object;
  ActiveObject* found = nullptr;
  lookup.find(id, hint, [&](std::uint32_t index) {
    ActiveObject* object = objects.enter_any(index);
    if (!object) return false;
    if (object->poa == &poa && object->id && std::ranges::equal(*object->id, id)) {
      found = object;
      return true;
    }
    leave(*object);
    return false;
  });
  return found;
}

ActiveObject* ObjectTable::find_closing_too(PoaCore& poa, ByteView id) {
  ActiveObject* found = nullptr;
  poa.by_id_for_changes->find(id, IdLookup::no_hint, [&](std::uint32_t index) {
    ActiveObject& object = objects.at(index);
    if (object.poa == &poa && object.id && std::ranges::equal(*object.id, id)) found = &object;
    return found != nullptr;
  });
  return found;
}

bool ObjectTable::deactivate(SlotName name) {
  if (name.index >= objects.used()) return false;
  ActiveObject& object = objects.at(name.index);
  if (!object.turnstile.close(name.generation)) return false;
  leave(object);
  return true;
}

// A few at a time, so that it needs no memory. Objects that are activated meanwhile may stay.
[[gnu::cold]] void ObjectTable::deactivate_all(PoaCore& poa) {
  std::array<SlotName, 64> some;
  for (std::size_t left = SIZE_MAX; left > 0;) {
    std::size_t found = 0;
    {
      std::lock_guard lock(mutex);
      left = std::min(left, poa.objects);
      for (std::uint32_t i = poa.first_object;
           i != SlotTable<ActiveObject>::none && found < std::min(left, some.size());
           i = objects.at(i).next_of_poa)
        if (objects.at(i).turnstile.is_open()) some[found++] = name_of(objects.at(i));
    }
    if (found == 0) return;
    left -= found;
    for (std::size_t i = 0; i < found; ++i) deactivate(some[i]);
  }
}

// This thread owns the slot: the last user has left, and the generation has advanced.
void ObjectTable::finish(ActiveObject& object) {
  if (!object.poa->etherealizes_in_turn()) return finish_now(object);
  const auto poa = object.poa->shared_from_this();  // another thread may finish its last object
  {
    std::lock_guard lock(mutex);
    poa->leave_to_turn(object);
    changed_.notify_all();
  }
  finish_in_turn(*poa);
}

// A thread that gives up the turn looks again afterwards, so that no object is overlooked.
[[gnu::cold]] void ObjectTable::finish_in_turn(PoaCore& poa) {
  while (poa.leaves_to_turn()) {
    const std::unique_lock turn(poa.upcalls, std::try_to_lock);
    if (!turn) return;
    while (ActiveObject* const object = take_left_to_turn(poa)) finish_now(*object);
  }
}

[[gnu::cold]] ActiveObject* ObjectTable::take_left_to_turn(PoaCore& poa) {
  std::lock_guard lock(mutex);
  const std::uint32_t index = poa.take_left_to_turn();
  return index == SlotTable<ActiveObject>::none ? nullptr : &objects.at(index);
}

void ObjectTable::finish_now(ActiveObject& object) {
  PoaCore& poa = *object.poa;
  etherealize(object, poa);
  Contents contents;  // destroyed without the mutex
  AdapterTree::Released released;
  std::lock_guard lock(mutex);
  poa.remove_from_lookups(object);
  poa.unlink(object);
  contents = empty(object);
  poa.tree.finish_if_empty(poa, released);
  changed_.notify_all();
}

void ObjectTable::etherealize(ActiveObject& object, PoaCore& poa) {
  CORBA::object_reference<PortableServer::ServantActivator> activator;
  {
    std::lock_guard lock(mutex);
    if (!poa.servant_activator || !poa.etherealizing) return ServantLinks::remove(object);
    activator = poa.servant_activator;
  }
  std::lock_guard one_at_a_time(poa.servant_manager);
  bool cleaning_up, remaining;
  {
    std::lock_guard lock(mutex);
    cleaning_up = poa.destroying || poa.manager->state() == ManagerCore::State::INACTIVE;
    // A servant's other objects remain until their turn, also if they are closed and still have requests. So
    // only the last one is told that none remains.
    ServantLinks::remove(object);
    remaining = ServantLinks::any(*object.servant, poa);
  }
  const AdapterTree::Consulting here(poa.tree, AdapterTree::Consulting::Lock::servant_manager);
  try {
    const ObjectId made =
        object.id ? ObjectId() : id_of_slot({object.index, object.turnstile.generation() - 2});
    activator->etherealize(object.id ? *object.id : made, poa.reference(), object.servant->_lock(),
                           cleaning_up, remaining);
  } catch (...) {
    // There is no caller to report to (CORBA 3.0.3, 11.3.5.3).
  }
}

void ObjectTable::finish(PoaSlot& slot) {
  AdapterTree::Released released;
  std::lock_guard lock(mutex);
  slot.poa->left_for_good = true;
  slot.poa->tree.finish_if_empty(*slot.poa, released);
  changed_.notify_all();
}

// The new servant is published before the old one is closed, so that an adapter never appears to have none in
// between.
DefaultServant* ObjectTable::enter_default_servant(const PoaCore& poa) {
  for (std::uint64_t word = poa.default_servant.load();;) {
    const SlotName name = slot_of(word);
    if (DefaultServant* servant = default_servants_.enter(name.index, name.generation)) return servant;
    const std::uint64_t now = poa.default_servant.load();
    if (now == word) return nullptr;
    word = now;
  }
}

std::shared_ptr<PortableServer::Servant> ObjectTable::default_servant_of(const PoaCore& poa) {
  DefaultServant* const entered = enter_default_servant(poa);
  if (!entered) return nullptr;
  auto servant = entered->servant;
  leave(*entered);
  return servant;
}

void ObjectTable::set_default_servant(PoaCore& poa, std::shared_ptr<PortableServer::Servant> servant) {
  SlotName before;
  {
    std::lock_guard lock(mutex);
    SlotName name;
    if (servant) {
      DefaultServant* const slot = default_servants_.take();
      if (!slot)
        throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO, "more default servants than one ORB can have");
      slot->servant = std::move(servant);
      slot->schedule_row = 0;
      name = {slot->index, slot->turnstile.generation()};
      slot->turnstile.open();
    }
    before = slot_of(poa.default_servant.exchange(word_of(name)));
  }
  close_default_servant(before);
}

void ObjectTable::close_default_servant(SlotName name) {
  if (name.index >= default_servants_.used()) return;
  DefaultServant& servant = default_servants_.at(name.index);
  if (servant.turnstile.close(name.generation)) leave(servant);
}

void ObjectTable::finish(DefaultServant& slot) {
  std::shared_ptr<PortableServer::Servant> servant;  // destroyed without the mutex
  std::lock_guard lock(mutex);
  servant = std::move(slot.servant);
  default_servants_.give_back(slot);
}

SlotName ObjectTable::take_default_servant(PoaCore& poa) {
  return slot_of(poa.default_servant.exchange(word_of(SlotName{})));
}

bool ObjectTable::wait(std::unique_lock<os::PriorityMutex>& lock, const std::function<bool()>& done,
                       std::chrono::steady_clock::time_point deadline) {
  waiting_.fetch_add(1);
  bool is_done = true;
  if (deadline == std::chrono::steady_clock::time_point::max())
    changed_.wait(lock, done);
  else
    is_done = changed_.wait_until(lock, deadline, done);
  waiting_.fetch_sub(1);
  return is_done;
}

void ObjectTable::wake_waiting() {
  std::lock_guard lock(mutex);
  changed_.notify_all();
}

bool ObjectTable::idle(const PoaCore& poa) const {
  if (poas.at(poa.self.index).turnstile.users() != 0) return false;
  for (std::uint32_t i = poa.first_object; i != SlotTable<ActiveObject>::none; i = objects.at(i).next_of_poa)
    if (const Turnstile& turnstile = objects.at(i).turnstile; turnstile.users() != 0 || !turnstile.is_open())
      return false;
  return true;
}

}  // namespace takt::adapter
