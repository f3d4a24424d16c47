// By a hash that has no collisions, of ids that are known beforehand.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

#include "adapter/lookup/id_lookup.h"

namespace takt::adapter {

// Admits the ids of its table and no other. Takes four octets for each place of the table, used or not.
class PerfectLookup final : public IdLookup {
 public:
  explicit PerfectLookup(IdTable known);

  const IdTable& known() const { return known_; }
  // The only slot that can have the id; no_hint: none has.
  std::uint32_t slot_of(ByteView id) const {
    const std::uint32_t place = known_.place_of({reinterpret_cast<const char*>(id.data()), id.size()});
    if (place == IdTable::nowhere) [[unlikely]]
      return no_hint;
    return slots_[place].load() - 1;
  }
  bool admits(ByteView id) const override;
  void insert(ByteView id, std::uint32_t slot) override;
  void erase(ByteView id, std::uint32_t slot) override;

 private:
  bool offer(ByteView id, std::uint32_t hint, Asker accepts) const override;

  const IdTable known_;
  std::unique_ptr<std::atomic<std::uint32_t>[]> slots_;  // by place; the slot and 1, or 0
};

}  // namespace takt::adapter
