// A table of slots that never move, read without a lock while it grows.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <vector>

#include <takt/adapter/turnstile.h>

namespace takt::adapter {

// Slot must be default-constructible, with members `Turnstile turnstile` and `std::uint32_t index`. Readers
// enter slots from any thread; the owner serialises take() and give_back(). Memory is allocated for 256 slots
// at a time, in a large table for 128 times as many, and freed with the table.
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
  // again.
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

}  // namespace takt::adapter
