// Uses the slot in the key.
#pragma once

#include "adapter/lookup/dynamic_lookup.h"

namespace takt::adapter {

// Falls back to hashing when the key has no slot hint, or a stale one.
class ActiveLookup final : public DynamicLookup {
 private:
  bool offer(ByteView id, std::uint32_t hint, Asker accepts) const override {
    return (hint != no_hint && accepts(hint)) || DynamicLookup::offer(id, hint, accepts);
  }
};

}  // namespace takt::adapter
