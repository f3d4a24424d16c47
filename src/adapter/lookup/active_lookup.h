// Where the key says.
#pragma once

#include "adapter/lookup/dynamic_lookup.h"

namespace takt::adapter {

// Whoever has no hint, or that of an earlier activation, finds by hashing.
class ActiveLookup final : public DynamicLookup {
 private:
  bool offer(ByteView id, std::uint32_t hint, Asker accepts) const override {
    return (hint != no_hint && accepts(hint)) || DynamicLookup::offer(id, hint, accepts);
  }
};

}  // namespace takt::adapter
