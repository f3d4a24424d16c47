// The present operation table, and former ones that requests still use.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

#include <takt/adapter/entrance.h>

#include "rt/operations/schedule_table.h"

namespace takt::rt {

// A request enters the present table with two atomic additions and holds it until it ends. Replacing the
// table does not wait. The next put() frees tables that are no longer held.
class TablesInUse {
 public:
  static constexpr std::size_t most = 16;

  // Null before the first put(). The table stays valid until leave().
  ScheduleTable* enter() const noexcept;
  static void leave(const ScheduleTable& table) noexcept;

  // One thread at a time. Returns false if requests hold the maximum number of former tables.
  bool put(std::shared_ptr<ScheduleTable> table);
  // Number of tables that are held or present.
  std::size_t held() const;

 private:
  struct alignas(64) Slot {
    adapter::Turnstile turnstile;
    std::atomic<bool> unused{true};
    std::shared_ptr<ScheduleTable> table;
  };
  static void leave(Slot& slot) noexcept {
    if (slot.turnstile.leave()) slot.unused.store(true, std::memory_order_release);
  }

  mutable std::array<Slot, most> slots_;
  std::atomic<Slot*> present_{nullptr};
};

}  // namespace takt::rt
