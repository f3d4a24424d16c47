// Uses a perfect hash of ids that are known in advance.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

#include "lookup/id_lookup.h"

namespace takt::adapter {

// Admits only the ids of its table, which must not be empty. Takes four octets per slot of the table, used or
// not.
class PerfectLookup final : public IdLookup {
 public:
  explicit PerfectLookup(const IdTable& known);

  const IdTable& known() const { return known_; }
  // The only slot that can have the id; no_hint if none has.
  std::uint32_t slot_of(ByteView id) const { return slots_[place_of(id)].load() - 1; }
  // The position of the id, below known().places().
  std::uint32_t place_of(ByteView id) const {
    return known_.place_in_full({reinterpret_cast<const char*>(id.data()), id.size()});
  }
  // Whether the id is long enough for the fast hash.
  bool is_long_enough(ByteView id) const { return id.size() >= known_.parts().window.one; }
  bool admits(ByteView id) const override;
  void insert(ByteView id, std::uint32_t slot) override;
  void erase(ByteView id, std::uint32_t slot) override;

 private:
  bool offer(ByteView id, std::uint32_t hint, Asker accepts) const override;

  const IdTable known_;
  const std::unique_ptr<std::atomic<std::uint32_t>[]> slots_;  // by position; the slot plus 1, or 0
};

// A perfect look-up that leads straight to an object; eight more octets per position.
template <class Found>
struct KnownTable {
  explicit KnownTable(const IdTable& known)
      : lookup(known), found(std::make_unique<std::atomic<Found*>[]>(known.places())) {}

  // The only candidate for the id; null if there is none.
  Found* find(ByteView id) const { return found[lookup.place_of(id)].load(); }
  // `id` must be in the table.
  void lead(ByteView id, Found* to) { found[lookup.place_of(id)].store(to); }

  PerfectLookup lookup;
  const std::unique_ptr<std::atomic<Found*>[]> found;  // by position
};

}  // namespace takt::adapter
