#include "adapter/lookup/id_map.h"

namespace takt::adapter {

void IdMap::publish(std::unique_ptr<Table> table) {
  present_.store(table.get());
  changes_.fetch_add(1);
  tables_.push_back(std::move(table));
}

void IdMap::store(std::atomic<std::uint64_t>& entry, std::uint64_t value) {
  changes_.fetch_add(1);
  entry.store(value);
}

// At most half full, so that probing stays short.
void IdMap::insert(std::uint64_t hash, std::uint32_t slot) {
  if ((size_.load(std::memory_order_relaxed) + 1) * 2 > tables_.back()->mask + 1) grow();
  Table& table = *tables_.back();
  const std::uint64_t entry = entry_of(hash, slot);
  std::size_t i = home(table, entry);
  while (table.entries[i].load() != 0) i = (i + 1) & table.mask;
  store(table.entries[i], entry);
  size_.fetch_add(1, std::memory_order_relaxed);
}

void IdMap::grow() {
  const Table& old = *tables_.back();
  auto table = std::make_unique<Table>((old.mask + 1) * 2);
  for (std::size_t k = 0; k <= old.mask; ++k) {
    const std::uint64_t entry = old.entries[k].load();
    if (entry == 0) continue;
    std::size_t i = home(*table, entry);
    while (table->entries[i].load() != 0) i = (i + 1) & table->mask;
    table->entries[i].store(entry);
  }
  publish(std::move(table));
}

// Entries behind the gap move up into it, each copied before its old place is overwritten: at any moment each
// one can be found, except by a reader that was between the two places, and that one sees that the map has
// changed.
void IdMap::erase(std::uint64_t hash, std::uint32_t slot) {
  Table& table = *tables_.back();
  const std::uint64_t entry = entry_of(hash, slot);
  std::size_t gap = home(table, entry);
  while (table.entries[gap].load() != entry) {
    if (table.entries[gap].load() == 0) return;
    gap = (gap + 1) & table.mask;
  }
  for (std::size_t i = (gap + 1) & table.mask; table.entries[i].load() != 0; i = (i + 1) & table.mask) {
    const std::uint64_t moving = table.entries[i].load();
    const std::size_t distance_home = (i - home(table, moving)) & table.mask;
    const std::size_t distance_gap = (i - gap) & table.mask;
    if (distance_home < distance_gap) continue;
    store(table.entries[gap], moving);
    gap = i;
  }
  store(table.entries[gap], 0);
  size_.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace takt::adapter
