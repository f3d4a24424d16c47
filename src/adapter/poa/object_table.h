// The objects, adapters and default servants of an ORB, in slots that requests enter without a lock.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <vector>

#include <takt/adapter/entrance.h>

#include "adapter/objects/active_object.h"
#include "lookup/id_lookup.h"
#include "lookup/keys/object_key.h"
#include "threads/locks/priority_condition.h"
#include "threads/locks/priority_mutex.h"

namespace takt::adapter {

class PoaCore;

// A table of slots that never move, read without a lock while it grows. Slot must be default-constructible,
// with members `Turnstile turnstile` and `std::uint32_t index`. Readers enter slots from any thread; the
// owner serialises take() and give_back(). Memory is allocated for 256 slots at a time, in a large table for
// 128 times as many, and freed with the table.
template <class Slot>
class SlotTable {
 public:
  static constexpr std::uint32_t none = 0xffffffff;
  static constexpr std::uint32_t max_slots = 1u << 28;

  SlotTable() = default;
  SlotTable(const SlotTable&) = delete;
  SlotTable& operator=(const SlotTable&) = delete;
  ~SlotTable() {
    const std::uint32_t used = used_.load();
    for (std::uint32_t i = 0; i < used; ++i) std::destroy_at(&at(i));
    for (std::uint32_t chunk = 0; chunk * chunk_slots < used; chunk += chunks_with(chunk))
      memory->deallocate(directory_.load()[chunk], chunks_with(chunk) * chunk_bytes, alignof(Slot));
  }

  // The memory for slots. Set it before the first slot is taken; it must outlive the table.
  std::pmr::memory_resource* memory = std::pmr::new_delete_resource();

  // Enters the slot if it exists and is open in that generation; else null. The index may come from a peer,
  // so it is checked.
  Slot* enter(std::uint32_t index, std::uint32_t generation) {
    if (index >= used_.load(std::memory_order_acquire)) [[unlikely]]
      return nullptr;
    Slot* slot = &at(index);
    if (!slot) __builtin_unreachable();  // spares the caller a null check
    if (slot->turnstile.enter(generation)) [[likely]]
      return slot;
    return refuse(*slot);
  }
  // The same for any generation.
  Slot* enter_any(std::uint32_t index) {
    if (index >= used_.load(std::memory_order_acquire)) [[unlikely]]
      return nullptr;
    Slot* slot = &at(index);
    if (!slot) __builtin_unreachable();
    if (slot->turnstile.enter_any()) [[likely]]
      return slot;
    return refuse(*slot);
  }
  // The slot must exist.
  Slot& at(std::uint32_t index) const {
    return directory_.load(std::memory_order_relaxed)[index / chunk_slots][index % chunk_slots];
  }
  std::uint32_t used() const { return used_.load(std::memory_order_acquire); }

  // Takes a slot for the caller to fill, with the generation that open() will make current. Null if the table
  // is full.
  Slot* take() {
    if (!free_.empty()) {
      Slot& slot = at(free_.back());
      free_.pop_back();
      return &slot;
    }
    const std::uint32_t index = used_.load(std::memory_order_relaxed);
    if (index == max_slots) return nullptr;
    if (index % chunk_slots == 0) add_chunk(index / chunk_slots);
    Slot* slot = std::construct_at(&at(index));
    slot->index = index;
    used_.store(index + 1, std::memory_order_release);
    return slot;
  }
  // The slot must belong to the caller, by its turnstile. A slot without unused generations is never taken
  // again. Does not allocate.
  void give_back(Slot& slot) {
    if (!slot.turnstile.spent()) free_.push_back(slot.index);
  }

  // Called for an unsuccessful enter(), to leave the slot. It may be the last user of a closing slot, which
  // the owner must handle.
  void (*leave_mismatched)(void* owner, Slot& slot) = nullptr;
  void* owner = nullptr;

 private:
  [[gnu::noinline]] Slot* refuse(Slot& slot) {
    leave_mismatched(owner, slot);
    return nullptr;
  }
  static constexpr std::uint32_t chunk_slots = 256;
  static constexpr std::size_t chunk_bytes = chunk_slots * sizeof(Slot);
  static constexpr std::uint32_t region_chunks = 128;
  using Directory = std::vector<Slot*>;
  // Number of chunks that are allocated together, starting with this one.
  static constexpr std::uint32_t chunks_with(std::uint32_t chunk) {
    return chunk < region_chunks ? 1 : region_chunks;
  }

  // Readers see the new chunk only through used_, which is increased afterwards.
  void add_chunk(std::uint32_t number) {
    if (directories_.empty() || number == directories_.back()->size()) {
      auto larger = std::make_unique<Directory>(number == 0 ? 4 : 2 * std::size_t{number});
      if (number != 0) std::ranges::copy(*directories_.back(), larger->begin());
      directories_.push_back(std::move(larger));
      directory_.store(directories_.back()->data());
    }
    // Room for give_back() of all slots. The list is empty now, so there is nothing to copy.
    const std::size_t slots = (std::size_t{number} + chunks_with(number)) * chunk_slots;
    if (free_.capacity() < slots) free_.reserve(std::max(slots, 2 * free_.capacity()));
    Directory& directory = *directories_.back();
    directory[number] =
        number % region_chunks == 0 || number < region_chunks
            ? static_cast<Slot*>(memory->allocate(chunks_with(number) * chunk_bytes, alignof(Slot)))
            : directory[number - 1] + chunk_slots;
  }

  std::atomic<Slot* const*> directory_{nullptr};
  std::vector<std::unique_ptr<Directory>> directories_;  // includes old ones that a reader may still use
  std::atomic<std::uint32_t> used_{0};
  std::vector<std::uint32_t> free_;
};

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

  // Call with `mutex` held. A null id names the object by its slot. The object is not open yet. If it throws,
  // nothing has changed.
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

  // If the adapter's upcalls take turns, its servant activator does, too: objects that end while another
  // thread has the turn are left to that thread. Call after giving up the turn, and with it before waiting
  // for the end of an object.
  void finish_in_turn(PoaCore& poa);

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
  // Takes the adapter's default servant, for close_default_servant(), which must be called without `mutex`.
  SlotName take_default_servant(PoaCore& poa);
  void close_default_servant(SlotName name);

  // Waits, with `lock` on `mutex`, until done() returns true. False: the deadline has passed.
  bool wait(std::unique_lock<os::PriorityMutex>& lock, const std::function<bool()>& done,
            std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max());
  // Wakes the threads in wait(). Call with `mutex` held.
  void tell_waiting() { changed_.notify_all(); }
  // Whether neither the adapter nor any of its objects has users, and none of its objects is etherealized.
  bool idle(const PoaCore& poa) const;

 private:
  ActiveObject* enter_named(PoaCore& poa, SlotName name);
  ActiveObject* enter_by(const IdLookup& lookup, PoaCore& poa, ByteView id, std::uint32_t hint);
  void finish(ActiveObject& object);
  void finish_now(ActiveObject& object);
  ActiveObject* take_left_to_turn(PoaCore& poa);
  struct Contents {
    std::shared_ptr<PortableServer::Servant> servant;
    std::unique_ptr<const ObjectId> id;
  };
  // Gives the slot back.
  Contents empty(ActiveObject& object);
  void etherealize(ActiveObject& object, PoaCore& poa);
  void finish(PoaSlot& slot);
  void finish(DefaultServant& servant);
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
