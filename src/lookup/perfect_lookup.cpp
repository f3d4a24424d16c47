#include "lookup/perfect_lookup.h"

#include "lookup/keys/object_key.h"

namespace takt::adapter {

PerfectLookup::PerfectLookup(const IdTable& known)
    : known_(known), slots_(std::make_unique<std::atomic<std::uint32_t>[]>(known_.places())) {}

bool PerfectLookup::admits(ByteView id) const { return known_.contains(text_of(id)); }

void PerfectLookup::insert(ByteView id, std::uint32_t slot) { slots_[place_of(id)].store(slot + 1); }

void PerfectLookup::erase(ByteView id, std::uint32_t) { slots_[place_of(id)].store(0); }

bool PerfectLookup::offer(ByteView id, std::uint32_t, Asker accepts) const {
  const std::uint32_t slot = slot_of(id);
  return slot != no_hint && accepts(slot);
}

}  // namespace takt::adapter
