// The table that requests go by, and those before it that requests under way still go by.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

#include <takt/adapter/turnstile.h>

#include "rt/operations/operation_table.h"

namespace takt::rt {

// Requests enter the present table by two atomic additions and hold it until they have ended; who puts
// another one in its place waits for nobody. What nobody holds any more is put away by the next put().
class TablesInUse {
 public:
  static constexpr std::size_t most = 16;

  // Of a request; null before the first put(). The table stays as it is until leave().
  OperationTable* enter() const noexcept;
  static void leave(const OperationTable& table) noexcept;

  // One thread at a time. False: requests under way hold as many former tables as there may be.
  bool put(std::shared_ptr<OperationTable> table);
  // Those that are held or present.
  std::size_t held() const;

 private:
  struct alignas(64) Slot {
    adapter::Turnstile turnstile;
    std::atomic<bool> unused{true};
    std::shared_ptr<OperationTable> table;
  };
  static void leave(Slot& slot) noexcept {
    if (slot.turnstile.leave()) slot.unused.store(true, std::memory_order_release);
  }

  mutable std::array<Slot, most> slots_;
  std::atomic<Slot*> present_{nullptr};
};

}  // namespace takt::rt
