// From a hash to the slot of what has it: dynamic hashing that readers use without a lock.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace takt::adapter {

// Open addressing; each entry is one word with slot and part of the hash, so that a reader never sees half of
// one. The map does not hold what it maps: a reader enters the slot that it finds and looks whether that is
// what it wants. Readers come from any thread, take no lock and never wait for a writer, not even one that
// was preempted in the middle; a reader that finds nothing while writers change the map looks again. Writers
// are serialised by the owner.
class IdMap {
 public:
  IdMap() { publish(std::make_unique<Table>(16)); }
  IdMap(const IdMap&) = delete;
  IdMap& operator=(const IdMap&) = delete;

  // Calls matches(slot) for the slots under this hash until it says true. True if one did.
  template <class Matches>
  bool find(std::uint64_t hash, Matches matches) const {
    for (;;) {
      const std::uint64_t change = changes_.load();
      if (find_once(*present_.load(), hash, matches)) return true;
      if (changes_.load() == change) [[likely]]
        return false;
    }
  }
  bool empty() const { return size_.load(std::memory_order_relaxed) == 0; }

  void insert(std::uint64_t hash, std::uint32_t slot);
  void erase(std::uint64_t hash, std::uint32_t slot);

 private:
  struct Table {
    explicit Table(std::size_t capacity)
        : mask(capacity - 1), entries(std::make_unique<std::atomic<std::uint64_t>[]>(capacity)) {}
    const std::size_t mask;
    std::unique_ptr<std::atomic<std::uint64_t>[]> entries;  // 0: empty
  };
  static std::uint64_t entry_of(std::uint64_t hash, std::uint32_t slot) {
    return (hash & 0xffffffff00000000) | (slot + 1);
  }
  // Where an entry would like to be; of the same bits that the entry keeps, so that it can be moved.
  static std::size_t home(const Table& table, std::uint64_t entry) { return (entry >> 32) & table.mask; }

  template <class Matches>
  static bool find_once(const Table& table, std::uint64_t hash, Matches& matches) {
    for (std::size_t i = home(table, hash), seen = 0; seen <= table.mask; i = (i + 1) & table.mask, ++seen) {
      const std::uint64_t entry = table.entries[i].load();
      if (entry == 0) return false;
      if (entry >> 32 == hash >> 32 && matches(static_cast<std::uint32_t>(entry) - 1)) return true;
    }
    return false;
  }
  void publish(std::unique_ptr<Table> table);
  void store(std::atomic<std::uint64_t>& entry, std::uint64_t value);
  void grow();

  std::atomic<const Table*> present_{nullptr};
  std::atomic<std::uint64_t> changes_{0};  // moves on before each store, for readers to notice
  std::atomic<std::size_t> size_{0};
  // All tables so far, since a reader may still be in an old one; together no larger than the newest.
  std::vector<std::unique_ptr<Table>> tables_;
};

}  // namespace takt::adapter
