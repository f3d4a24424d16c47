// The objects, adapters and default servants of an ORB, in slots that requests enter without a lock.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "adapter/keys/object_key.h"
#include "adapter/lookup/id_lookup.h"
#include "adapter/objects/active_object.h"
#include "adapter/objects/slot_table.h"
#include "os/threads/priority_condition.h"
#include "os/threads/priority_mutex.h"

namespace takt::adapter {

class PoaCore;

// An adapter's slot in the table of adapters. Transient keys contain its name.
struct PoaSlot {
  Turnstile turnstile;
  std::uint32_t index = 0;
  std::shared_ptr<PoaCore> poa;  // constant while the slot has users
  // The last adapter in this slot if its objects are found by the slots in their keys; only for comparing.
  std::atomic<const PoaCore*> by_slots = nullptr;
};

// One table holds the objects of all adapters. So one access leads from a key to servant and adapter, however
// deep the adapter's path (de-layered active demultiplexing). Entering and leaving neither lock nor allocate,
// in any thread. All changes take `mutex`, which is never held while application code runs. The last user of
// a closing slot finishes it: etherealizes the object, or ends the adapter.
class ObjectTable {
 public:
  ObjectTable();
  ObjectTable(const ObjectTable&) = delete;
  ObjectTable& operator=(const ObjectTable&) = delete;

  os::PriorityMutex mutex;
  SlotTable<ActiveObject> objects;
  SlotTable<PoaSlot> poas;

  // Enters an open object of `poa`; null if there is none with that id.
  ActiveObject* enter(PoaCore& poa, ByteView id, std::uint32_t hint = IdLookup::no_hint);
  ActiveObject* enter(PoaCore& poa, const KeyParts& key);
  // The same for activation, deactivation and making references; its cost does not depend on the number of
  // objects.
  ActiveObject* enter_to_change(PoaCore& poa, ByteView id);
  void leave(ActiveObject& object) { left(object, object.turnstile.leave()); }
  // Completes a leave() that was made on the turnstile; `last` is its result.
  void left(ActiveObject& object, bool last) {
    if (last) [[unlikely]]
      finish(object);
    if (waiting_.load() != 0) [[unlikely]]
      wake_waiting();
  }
  void leave(PoaSlot& slot) {
    if (slot.turnstile.leave()) [[unlikely]]
      finish(slot);
    if (waiting_.load() != 0) [[unlikely]]
      wake_waiting();
  }
  // The number of threads that wait for users to leave.
  const std::atomic<std::uint32_t>& waiting() const { return waiting_; }

  // Call with `mutex` held. A null id names the object by its slot. The object is not open yet.
  ActiveObject& add(PoaCore& poa, std::shared_ptr<PortableServer::Servant> servant,
                    std::unique_ptr<const ObjectId> id);
  static SlotName name_of(const ActiveObject& object) {
    return {object.index, object.turnstile.generation()};
  }
  // False if the object was not open in that generation. Call without `mutex`.
  bool deactivate(SlotName object);
  // Deactivates all objects of `poa`. Call without `mutex`.
  void deactivate_all(PoaCore& poa);
  // An object of `poa` with that id, open or closing. Call with `mutex` held.
  ActiveObject* find_closing_too(PoaCore& poa, ByteView id);

  // Null if the adapter has none. Neither function takes `mutex`.
  DefaultServant* enter_default_servant(const PoaCore& poa);
  std::shared_ptr<PortableServer::Servant> default_servant_of(const PoaCore& poa);
  void leave(DefaultServant& servant) {
    if (servant.turnstile.leave()) [[unlikely]]
      finish(servant);
  }
  // Sets or, with null, removes the default servant. The previous one is released when the last request has
  // left it. Takes `mutex` itself.
  void set_default_servant(PoaCore& poa, std::shared_ptr<PortableServer::Servant> servant);
  // Closes the adapter's default servant when the returned pointer is destroyed, which must happen without
  // `mutex`.
  std::shared_ptr<void> default_servant_to_close(PoaCore& poa);

  // Waits, with `lock` on `mutex`, until done() returns true. False: the deadline has passed.
  bool wait(std::unique_lock<os::PriorityMutex>& lock, const std::function<bool()>& done,
            std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max());
  // Whether neither the adapter nor any of its objects has users.
  bool idle(const PoaCore& poa) const;

 private:
  ActiveObject* enter_named(PoaCore& poa, SlotName name);
  ActiveObject* enter_by(const IdLookup& lookup, PoaCore& poa, ByteView id, std::uint32_t hint);
  void finish(ActiveObject& object);
  void etherealize(ActiveObject& object, PoaCore& poa);
  void finish(PoaSlot& slot);
  void finish(DefaultServant& servant);
  void close_default_servant(SlotName name);
  void wake_waiting();

  SlotTable<DefaultServant> default_servants_;
  std::atomic<std::uint32_t> waiting_{0};
  os::PriorityCondition changed_;
};

// Scope of being in an object; leaves it in the destructor. The object may be null.
class Entered {
 public:
  Entered(ObjectTable& table, ActiveObject* object) : table_(table), object_(object) {}
  ~Entered() {
    if (object_) table_.leave(*object_);
  }
  Entered(const Entered&) = delete;
  Entered& operator=(const Entered&) = delete;
  ActiveObject* operator->() const { return object_; }
  ActiveObject& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  ObjectTable& table_;
  ActiveObject* const object_;
};

}  // namespace takt::adapter
