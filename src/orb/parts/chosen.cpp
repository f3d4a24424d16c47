#include "orb/parts/parts.h"

namespace takt::orb {

// Never destroyed: static objects may still begin an ORB in their destructors.
const Parts& chosen_parts() {
  static const Parts* const chosen = [] {
    auto* const parts = new Parts;
    choose_parts(*parts);
    return parts;
  }();
  return *chosen;
}

}  // namespace takt::orb
