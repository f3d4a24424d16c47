#include "rt/operations/tables_in_use.h"

#include <algorithm>

namespace takt::rt {

ScheduleTable* TablesInUse::enter() const noexcept {
  for (;;) {
    Slot* const slot = present_.load(std::memory_order_acquire);
    if (!slot) return nullptr;
    if (slot->turnstile.enter_any()) [[likely]]
      return slot->table.get();
    leave(*slot);  // it has been replaced meanwhile
  }
}

void TablesInUse::leave(const ScheduleTable& table) noexcept { leave(*static_cast<Slot*>(table.place)); }

bool TablesInUse::put(std::shared_ptr<ScheduleTable> table) {
  const auto free = std::ranges::find_if(
      slots_, [](const Slot& slot) { return slot.unused.load(std::memory_order_acquire); });
  if (free == slots_.end()) return false;
  table->place = &*free;
  free->unused.store(false, std::memory_order_relaxed);
  free->table = std::move(table);
  free->turnstile.open();
  Slot* const before = present_.exchange(&*free);
  if (!before) return true;
  before->turnstile.close(before->turnstile.generation());
  leave(*before);
  for (Slot& slot : slots_)
    if (slot.unused.load(std::memory_order_acquire)) slot.table.reset();
  return true;
}

std::size_t TablesInUse::held() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      slots_, [](const Slot& slot) { return !slot.unused.load(std::memory_order_acquire); }));
}

}  // namespace takt::rt
