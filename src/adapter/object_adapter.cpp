#include "adapter/object_adapter.h"

#include <algorithm>
#include <random>

#include "adapter/default_adapter.h"
#include "adapter/upcalls/upcall.h"
#include "os/threads/priority_mutex.h"

namespace takt::adapter {

ObjectAdapter::ObjectAdapter(connection::OrbCore& orb_core)
    : core(orb_core), instance(std::random_device()()), keys(instance) {
  objects.owner = poas.owner = default_servants.owner = this;
  objects.leave_stranger = [](void* self, ActiveObject& object) {
    static_cast<ObjectAdapter*>(self)->leave(object);
  };
  poas.leave_stranger = [](void* self, PoaSlot& slot) { static_cast<ObjectAdapter*>(self)->leave(slot); };
  default_servants.leave_stranger = [](void* self, DefaultServant& servant) {
    static_cast<ObjectAdapter*>(self)->leave(servant);
  };
}

ObjectAdapter::~ObjectAdapter() {
  forget_adapter(*this);
  shut_down(false);
}

std::shared_ptr<PoaCore> ObjectAdapter::root() {
  std::lock_guard one_at_a_time(root_mutex_);
  if (root_ || down_) return root_;
  root_ = make_poa(nullptr, "RootPOA", make_manager(),
                   root_policies(options.lookups.of("", options.lookup), extension));
  remember_adapter(*this);
  return root_;
}

void ObjectAdapter::adapters_complete() {
  completeness.complete();
  if (when_complete) when_complete();
}

void ObjectAdapter::shut_down(bool wait_for_completion) {
  std::shared_ptr<PoaCore> root_poa;
  {
    std::lock_guard lock(root_mutex_);
    down_ = true;
    root_poa = std::move(root_);
  }
  for (const auto& manager : managers()) manager->change(ManagerCore::State::INACTIVE);
  if (root_poa) destroy_poa(*root_poa, true, wait_for_completion);
}

CORBA::object_reference<CORBA::Object> ObjectAdapter::reference(const PoaCore& poa,
                                                                const std::string& repository_id,
                                                                ByteView key, std::int16_t priority) const {
  if (!poa.policies.extension)
    return connection::make_stub<CORBA::Object>(core.make_reference(repository_id, key));
  const auto where = poa.policies.extension->publication(priority);
  return connection::make_stub<CORBA::Object>(core.make_reference(repository_id, key, &where));
}

ActiveObject& ObjectAdapter::add(PoaCore& poa, std::shared_ptr<PortableServer::Servant> servant,
                                 std::unique_ptr<const ObjectId> id) {
  ActiveObject* object = objects.take();
  if (!object) throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO, "more active objects than one ORB can have");
  object->servant = std::move(servant);
  object->poa = &poa;
  object->id = std::move(id);
  object->schedule_row = 0;
  poa.link(*object);
  ServantLinks::add(*object);
  poa.enlist(*object);
  return *object;
}

ActiveObject* ObjectAdapter::enter_named(PoaCore& poa, SlotName name) {
  ActiveObject* object = objects.enter(name.index, name.generation);
  if (!object || (object->poa == &poa && !object->id)) return object;
  leave(*object);
  return nullptr;
}

ActiveObject* ObjectAdapter::enter(PoaCore& poa, ByteView id, std::uint32_t hint) {
  return enter_by(*poa.by_id, poa, id, hint);
}

ActiveObject* ObjectAdapter::enter_to_change(PoaCore& poa, ByteView id) {
  return enter_by(*poa.by_id_for_changes, poa, id, IdLookup::no_hint);
}

ActiveObject* ObjectAdapter::enter_by(const IdLookup& lookup, PoaCore& poa, ByteView id, std::uint32_t hint) {
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

ActiveObject* ObjectAdapter::enter(PoaCore& poa, const KeyParts& key) {
  if (key.id.empty() && poa.policies.ids_name_slots()) return enter_named(poa, key.object);
  return enter(poa, key.id, key.object.index);
}

// What follows ends in calls that need nothing of their callers, so that the quick ways have little to save.
ActiveObject* ObjectAdapter::enter_otherwise(const ByteView& key) {
  return keys.is_delayered(key) ? enter_delayered(key) : enter_in_layers(key);
}

ActiveObject* ObjectAdapter::enter_delayered(const ByteView& key) {
  const SlotName name = KeyFormat::object_of(key);
  ActiveObject* object = objects.enter(name.index, name.generation);
  if (!object) return nullptr;
  const bool right = object->poa->self == KeyFormat::poa_of(key) &&
                     equal(object->id ? ByteView(*object->id) : ByteView(), KeyFormat::id_of(key));
  return right ? object : refuse(*object);
}

// The adapter is that of the key's slot in the table of adapters. It stays while somebody is in one of its
// objects, and is closed after all of them, so that it need not be entered as well.
ActiveObject* ObjectAdapter::enter_by_slots(const ByteView& key) {
  const ByteView octets = key;  // once, since entering lets nothing that was read before be kept
  const SlotName name = KeyFormat::object_of(octets), poa_name = KeyFormat::poa_of(octets);
  if (name.index >= objects.used()) [[unlikely]]
    return enter_in_layers(key);
  ActiveObject& object = objects.at(name.index);
  if (!object.turnstile.enter(name.generation)) [[unlikely]]
    return enter_elsewhere(key, object);
  // An adapter that calls itself so is at that place of the table, so that the place need not be asked for.
  const PoaCore* const poa = object.poa;
  if (word_of(poa->self) != word_of(poa_name) || poas.at(poa_name.index).by_slots.load() != poa) [[unlikely]]
    return enter_elsewhere(key, object);
  if (object.id || octets.size() != transient_key_size) [[unlikely]]
    return enter_if_named(key, object);
  return &object;
}

ActiveObject* ObjectAdapter::enter_if_named(const ByteView& key, ActiveObject& entered) {
  const ByteView id = keys.is_perfect(key) ? KeyFormat::path_and_id_of(key)->id : KeyFormat::id_of(key);
  return entered.id && equal(*entered.id, id) ? &entered : enter_elsewhere(key, entered);
}

ActiveObject* ObjectAdapter::enter_elsewhere(const ByteView& key, ActiveObject& entered) {
  leave(entered);
  return enter_in_layers(key);
}

// The adapter stays while somebody is in one of its objects, as in enter_by_slots(), and its slot's name in
// the key says that it is the one, whatever path led here. All that is not so usual ends in a call, so that
// nothing is saved.
// `quickly`: by the shortest way to a place, which path and id may be too short for.
template <bool quickly>
inline ActiveObject* ObjectAdapter::enter_known(const ByteView& key) {
  const auto named = KeyFormat::path_and_id_of(key);
  const KnownPaths* const paths = paths_.known_paths();
  if (!named || !paths) [[unlikely]]
    return enter_in_layers(key);
  if (quickly && !paths->lookup.is_quick(named->path)) [[unlikely]]
    return enter_by_tables_of_any(key);
  const KnownServants* const servants = paths->find(named->path);
  if (!servants) [[unlikely]]
    return enter_in_layers(key);
  if (quickly && !servants->lookup.is_quick(named->id)) [[unlikely]]
    return enter_by_tables_of_any(key);
  ActiveObject* const object = servants->find(named->id);
  if (!object) [[unlikely]]
    return enter_in_layers(key);
  if (!object->turnstile.enter_any()) [[unlikely]]
    return enter_elsewhere(key, *object);
  if (word_of(object->poa->self) != word_of(KeyFormat::poa_of(key)) || !object->id) [[unlikely]]
    return enter_elsewhere(key, *object);
  const ObjectId& id = *object->id;
  if (id.size() != named->id.size() || !is_short(id)) [[unlikely]]
    return enter_if_named(key, *object);
  return equal_short(id, named->id) ? object : enter_elsewhere(key, *object);
}

ActiveObject* ObjectAdapter::enter_by_tables(const ByteView& key) { return enter_known<true>(key); }
ActiveObject* ObjectAdapter::enter_by_tables_of_any(const ByteView& key) { return enter_known<false>(key); }

ActiveObject* ObjectAdapter::enter_in_layers(const ByteView& key) {
  const auto parts = keys.read(key);
  PoaSlot* slot = parts ? enter_poa(*parts) : nullptr;
  if (!slot) return nullptr;
  ActiveObject* object = enter(*slot->poa, *parts);
  leave(*slot);
  return object;
}

ActiveObject* ObjectAdapter::find_closing_too(PoaCore& poa, ByteView id) {
  ActiveObject* found = nullptr;
  poa.by_id_for_changes->find(id, IdLookup::no_hint, [&](std::uint32_t index) {
    ActiveObject& object = objects.at(index);
    if (object.poa == &poa && object.id && std::ranges::equal(*object.id, id)) found = &object;
    return found != nullptr;
  });
  return found;
}

bool ObjectAdapter::deactivate(SlotName name) {
  if (name.index >= objects.used()) return false;
  ActiveObject& object = objects.at(name.index);
  if (!object.turnstile.close(name.generation)) return false;
  leave(object);
  return true;
}

// The object's slot is this thread's alone: its last user has left, and its generation has moved on.
void ObjectAdapter::finish(ActiveObject& object) {
  PoaCore& poa = *object.poa;
  etherealize(object, poa);
  std::shared_ptr<PortableServer::Servant> servant;  // goes without the mutex
  std::unique_ptr<const ObjectId> id;
  Released released;
  std::lock_guard lock(mutex);
  ServantLinks::remove(object);
  poa.strike_off(object);
  poa.unlink(object);
  servant = std::move(object.servant);
  id = std::move(object.id);
  object.poa = nullptr;
  objects.give_back(object);
  finish_if_empty(poa, released);
  changed_.notify_all();
}

void ObjectAdapter::etherealize(ActiveObject& object, PoaCore& poa) {
  CORBA::object_reference<PortableServer::ServantActivator> activator;
  bool cleaning_up, remaining;
  {
    std::lock_guard lock(mutex);
    if (!poa.servant_activator || !poa.etherealizing) return;
    activator = poa.servant_activator;
    cleaning_up = poa.destroying || poa.manager->state() == ManagerCore::State::INACTIVE;
    remaining = ServantLinks::find(*object.servant, poa) != nullptr;
  }
  const ObjectId id = object.id ? *object.id : id_of_slot({object.index, object.turnstile.generation() - 2});
  std::lock_guard one_at_a_time(poa.servant_manager);
  try {
    activator->etherealize(id, poa.reference(), object.servant->_lock(), cleaning_up, remaining);
  } catch (...) {
    // There is nobody to tell (CORBA 3.0.3, 11.3.5.3).
  }
}

// Another one is there before this one is closed, so that an adapter that has one is never seen without.
DefaultServant* ObjectAdapter::enter_default_servant(const PoaCore& poa) {
  for (std::uint64_t word = poa.default_servant.load();;) {
    const SlotName name = slot_of(word);
    if (DefaultServant* servant = default_servants.enter(name.index, name.generation)) return servant;
    const std::uint64_t now = poa.default_servant.load();
    if (now == word) return nullptr;
    word = now;
  }
}

std::shared_ptr<PortableServer::Servant> ObjectAdapter::default_servant_of(const PoaCore& poa) {
  DefaultServant* const entered = enter_default_servant(poa);
  if (!entered) return nullptr;
  auto servant = entered->servant;
  leave(*entered);
  return servant;
}

void ObjectAdapter::set_default_servant(PoaCore& poa, std::shared_ptr<PortableServer::Servant> servant) {
  SlotName before;
  {
    std::lock_guard lock(mutex);
    SlotName name;
    if (servant) {
      DefaultServant* const slot = default_servants.take();
      if (!slot)
        throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO, "more default servants than one ORB can have");
      slot->servant = std::move(servant);
      name = {slot->index, slot->turnstile.generation()};
      slot->turnstile.open();
    }
    before = slot_of(poa.default_servant.exchange(word_of(name)));
  }
  close_default_servant(before);
}

void ObjectAdapter::close_default_servant(SlotName name) {
  if (name.index >= default_servants.used()) return;
  DefaultServant& servant = default_servants.at(name.index);
  if (servant.turnstile.close(name.generation)) leave(servant);
}

void ObjectAdapter::finish(DefaultServant& slot) {
  std::shared_ptr<PortableServer::Servant> servant;  // goes without the mutex
  std::lock_guard lock(mutex);
  servant = std::move(slot.servant);
  default_servants.give_back(slot);
}

// When what is released goes, without the mutex.
std::shared_ptr<void> ObjectAdapter::to_close_default_servant(PoaCore& poa) {
  const SlotName name = slot_of(poa.default_servant.exchange(word_of(SlotName{})));
  if (name == SlotName{}) return nullptr;
  return {static_cast<void*>(this), [this, name](void*) { close_default_servant(name); }};
}

bool ObjectAdapter::wait(std::unique_lock<os::PriorityMutex>& lock, const std::function<bool()>& done,
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

void ObjectAdapter::wake_waiting() {
  std::lock_guard lock(mutex);
  changed_.notify_all();
}

bool ObjectAdapter::idle(const PoaCore& poa) const {
  if (poas.at(poa.self.index).turnstile.users() != 0) return false;
  for (std::uint32_t i = poa.first_object; i != SlotTable<ActiveObject>::none; i = objects.at(i).next_of_poa)
    if (objects.at(i).turnstile.users() != 0) return false;
  return true;
}

bool ObjectAdapter::in_upcall() const {
  const UpcallFrame* upcall = UpcallFrame::innermost();
  while (upcall && &poa_of(*upcall).adapter != this) upcall = upcall->outer();
  return upcall != nullptr;
}

void ObjectAdapter::refuse_in_upcall() const {
  if (in_upcall())
    throw CORBA::BAD_INV_ORDER(CORBA::omg_minor(3), CORBA::COMPLETED_NO,
                               "waiting for requests to complete from inside a request would never end");
}

}  // namespace takt::adapter
