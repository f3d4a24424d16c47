#include "lookup/id_lookup.h"

#include "lookup/dynamic_lookup.h"
#include "lookup/linear_lookup.h"
#include "lookup/perfect_lookup.h"

namespace takt::adapter {

namespace {

// Uses the slot in the key. Falls back to hashing when the key has no slot hint, or a stale one.
class ActiveLookup final : public DynamicLookup {
  bool offer(ByteView id, std::uint32_t hint, Asker accepts) const override {
    return (hint != no_hint && accepts(hint)) || DynamicLookup::offer(id, hint, accepts);
  }
};

}  // namespace

std::unique_ptr<IdLookup> make_lookup(Lookup strategy, const IdTable& known) {
  switch (strategy) {
    case Lookup::linear:
      return std::make_unique<LinearLookup>();
    case Lookup::dynamic:
      return std::make_unique<DynamicLookup>();
    case Lookup::perfect:
      return std::make_unique<PerfectLookup>(known);
    case Lookup::active:
    case Lookup::delayered:
      break;
  }
  return std::make_unique<ActiveLookup>();
}

}  // namespace takt::adapter
