#include "adapter/lookup/id_lookup.h"

#include "adapter/lookup/active_lookup.h"
#include "adapter/lookup/linear_lookup.h"
#include "adapter/lookup/perfect_lookup.h"

namespace takt::adapter {

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
