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

// Slot is default-constructible and has a member `Turnstile turnstile` and `std::uint32_t index`. Readers
// enter slots from any thread; take() and give_back() are serialised by the owner. Memory is taken for 256
// slots at a time, in a large table for 128 times as many, and given back with the table.
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

  // Where slots are; set before the first is taken, and outlives the table.
  std::pmr::memory_resource* memory = std::pmr::new_delete_resource();

  // The slot, entered, if it exists and is open in that generation, else null: any index may come from
  // outside.
  Slot* enter(std::uint32_t index, std::uint32_t generation) {
    if (index >= used_.load(std::memory_order_acquire)) [[unlikely]]
      return nullptr;
    Slot* slot = &at(index);
    if (!slot) __builtin_unreachable();  // which spares whoever gets it a question
    if (slot->turnstile.enter(generation)) [[likely]]
      return slot;
    return refuse(*slot);
  }
  // The same in whatever generation it is open.
  Slot* enter_any(std::uint32_t index) {
    if (index >= used_.load(std::memory_order_acquire)) [[unlikely]]
      return nullptr;
    Slot* slot = &at(index);
    if (!slot) __builtin_unreachable();
    if (slot->turnstile.enter_any()) [[likely]]
      return slot;
    return refuse(*slot);
  }
  // Of a slot that exists.
  Slot& at(std::uint32_t index) const {
    return directory_.load(std::memory_order_relaxed)[index / chunk_slots][index % chunk_slots];
  }
  std::uint32_t used() const { return used_.load(std::memory_order_acquire); }

  // A slot that is the caller's, with the generation that open() will make current. Null: the table is full.
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
  // Of a slot whose turnstile gave it to the caller. One whose generations are used up is never taken again.
  void give_back(Slot& slot) {
    if (!slot.turnstile.spent()) free_.push_back(slot.index);
  }

  // How whoever entered in vain leaves again: perhaps as the last one in a slot that is being closed, which
  // is the owner's business.
  void (*leave_stranger)(void* owner, Slot& slot) = nullptr;
  void* owner = nullptr;

 private:
  [[gnu::noinline]] Slot* refuse(Slot& slot) {
    leave_stranger(owner, slot);
    return nullptr;
  }
  static constexpr std::uint32_t chunk_slots = 256;
  static constexpr std::size_t chunk_bytes = chunk_slots * sizeof(Slot);
  static constexpr std::uint32_t region_chunks = 128;
  using Directory = std::vector<Slot*>;
  // How many are taken together, beginning with that one.
  static constexpr std::uint32_t chunks_with(std::uint32_t chunk) {
    return chunk < region_chunks ? 1 : region_chunks;
  }

  // Readers see it by the count of used slots, which moves on afterwards.
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
  std::vector<std::unique_ptr<Directory>> directories_;  // all so far: a reader may be in an old one
  std::atomic<std::uint32_t> used_{0};
  std::vector<std::uint32_t> free_;
};

}  // namespace takt::adapter
