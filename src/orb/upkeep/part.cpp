#include "orb/upkeep/upkeep.h"

#include "orb/parts/parts.h"

void takt::add_upkeep(Parts& parts) {
  parts.begin_upkeep = [](orb::Runtime& runtime, const orb::EffectiveSettings& effective) {
    return std::shared_ptr<orb::Upkeep>(orb::Upkeep::begin(runtime, effective));
  };
}
