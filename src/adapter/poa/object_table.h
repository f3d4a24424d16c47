// The objects, adapters and default servants of one ORB, each in a slot that requests enter without a lock.
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

// An adapter's place in the table of adapters, which transient keys name.
struct PoaSlot {
  Turnstile turnstile;
  std::uint32_t index = 0;
  std::shared_ptr<PoaCore> poa;  // does not change while somebody is in
  // The last one, for comparing, if its objects are where their keys say.
  std::atomic<const PoaCore*> by_slots = nullptr;
};

// One table holds the objects of all adapters, so that one access leads from a key to servant and adapter
// together, however deep the adapter's path is (de-layered active demultiplexing). Entering and leaving take
// no lock and no memory, in any thread; all changes take `mutex`, which is never held while application code
// runs. Who leaves last what is being closed ends it: etherealizes the object, or ends the adapter.
class ObjectTable {
 public:
  ObjectTable();
  ObjectTable(const ObjectTable&) = delete;
  ObjectTable& operator=(const ObjectTable&) = delete;

  os::PriorityMutex mutex;
  SlotTable<ActiveObject> objects;
  SlotTable<PoaSlot> poas;

  // An open object of `poa`, entered; null if there is none of that id.
  ActiveObject* enter(PoaCore& poa, ByteView id, std::uint32_t hint = IdLookup::no_hint);
  ActiveObject* enter(PoaCore& poa, const KeyParts& key);
  // The same for who activates, deactivates or makes references, found so that it does not depend on their
  // number.
  ActiveObject* enter_to_change(PoaCore& poa, ByteView id);
  void leave(ActiveObject& object) { left(object, object.turnstile.leave()); }
  // Of somebody who has left by the turnstile itself, which said so.
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
  // How many threads wait for somebody to leave.
  const std::atomic<std::uint32_t>& waiting() const { return waiting_; }

  // With `mutex` held. A null id: named by its slot. The object is not open yet.
  ActiveObject& add(PoaCore& poa, std::shared_ptr<PortableServer::Servant> servant,
                    std::unique_ptr<const ObjectId> id);
  static SlotName name_of(const ActiveObject& object) {
    return {object.index, object.turnstile.generation()};
  }
  // False: it was not open in that generation. Must not hold `mutex`.
  bool deactivate(SlotName object);
  // All objects of `poa`. Must not hold `mutex`.
  void deactivate_all(PoaCore& poa);
  // An object of `poa` with that id, open or closing; with `mutex` held.
  ActiveObject* find_closing_too(PoaCore& poa, ByteView id);

  // Null: the adapter has none. Neither takes `mutex`.
  DefaultServant* enter_default_servant(const PoaCore& poa);
  std::shared_ptr<PortableServer::Servant> default_servant_of(const PoaCore& poa);
  void leave(DefaultServant& servant) {
    if (servant.turnstile.leave()) [[unlikely]]
      finish(servant);
  }
  // The one before goes when the last request has left it. Null: the adapter has none from now on. Takes
  // `mutex` itself.
  void set_default_servant(PoaCore& poa, std::shared_ptr<PortableServer::Servant> servant);
  // Closes the adapter's, once what is returned goes, which must be without `mutex`.
  std::shared_ptr<void> default_servant_to_close(PoaCore& poa);

  // Waits, with `lock` on `mutex`, until done() says true; false: not until `deadline`.
  bool wait(std::unique_lock<os::PriorityMutex>& lock, const std::function<bool()>& done,
            std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max());
  // Nobody is in the adapter or one of its objects.
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

// An object that somebody is in, for as long as this lives.
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
