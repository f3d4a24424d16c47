// A table of slots that never move, read without a lock while it grows.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "adapter/turnstile.h"

namespace takt::adapter {

// Slot is default-constructible and has a member `Turnstile turnstile` and `std::uint32_t index`. Readers
// enter slots from any thread; take() and give_back() are serialised by the owner. Memory is taken in chunks
// that double, reserved but not touched until slots are used, and never given back.
template <class Slot>
class SlotTable {
 public:
  static constexpr std::uint32_t none = 0xffffffff;
  static constexpr std::uint32_t max_slots = 1u << 28;

  SlotTable() = default;
  SlotTable(const SlotTable&) = delete;
  SlotTable& operator=(const SlotTable&) = delete;
  ~SlotTable() {
    for (std::uint32_t i = 0, n = used_.load(); i < n; ++i) std::destroy_at(&at(i));
    for (unsigned k = 0; k < chunks_.size(); ++k)
      if (Slot* chunk = chunks_[k].load())
        ::operator delete(chunk, chunk_size(k) * sizeof(Slot), std::align_val_t{alignof(Slot)});
  }

  // The slot, entered, if it exists and is open in that generation, else null: any index may come from
  // outside.
  Slot* enter(std::uint32_t index, std::uint32_t generation) {
    if (index >= used_.load(std::memory_order_acquire)) [[unlikely]]
      return nullptr;
    Slot& slot = at(index);
    if (slot.turnstile.enter(generation)) [[likely]]
      return &slot;
    leave_stranger(owner, slot);
    return nullptr;
  }
  // Of a slot that exists.
  Slot& at(std::uint32_t index) const {
    const std::uint64_t place = std::uint64_t{index} + first_chunk;
    const unsigned width = static_cast<unsigned>(std::bit_width(place));
    return chunks_[width - first_width].load(
        std::memory_order_relaxed)[place - (std::uint64_t{1} << (width - 1))];
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
    const std::uint64_t place = std::uint64_t{index} + first_chunk;
    const unsigned k = static_cast<unsigned>(std::bit_width(place)) - first_width;
    if (!chunks_[k].load(std::memory_order_relaxed)) {
      void* memory = ::operator new(chunk_size(k) * sizeof(Slot), std::align_val_t{alignof(Slot)});
      chunks_[k].store(static_cast<Slot*>(memory), std::memory_order_relaxed);
    }
    Slot* slot = std::construct_at(&at(index));
    slot->index = index;
    used_.store(index + 1, std::memory_order_release);
    return slot;
  }
  // Of a slot whose turnstile gave it to the caller. One whose generations are used up is never taken again.
  void give_back(Slot& slot) {
    if (slot.turnstile.generation() != 0) free_.push_back(slot.index);
  }

  // How whoever entered in vain leaves again: perhaps as the last one in a slot that is being closed, which
  // is the owner's business.
  void (*leave_stranger)(void* owner, Slot& slot) = nullptr;
  void* owner = nullptr;

 private:
  static constexpr std::uint32_t first_chunk = 64;  // slots in it; each further chunk doubles the table
  static constexpr unsigned first_width = 7;        // bit_width(first_chunk)
  static constexpr std::size_t chunk_size(unsigned k) { return std::size_t{first_chunk} << k; }

  std::array<std::atomic<Slot*>, 33 - first_width> chunks_{};
  std::atomic<std::uint32_t> used_{0};
  std::vector<std::uint32_t> free_;
};

}  // namespace takt::adapter
