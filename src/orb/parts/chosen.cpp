#include "orb/parts/parts.h"

namespace takt::orb {

const Parts& chosen_parts() {
  static const Parts chosen = [] {
    Parts parts;
    choose_parts(parts);
    return parts;
  }();
  return chosen;
}

}  // namespace takt::orb
