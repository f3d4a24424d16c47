#include "orb/reports/warnings.h"

#include <iostream>
#include <syncstream>

namespace takt::orb {

void Warnings::say(std::string_view text) const {
  if (on()) std::osyncstream(std::cerr) << "takt: " << text << '\n';
}

}  // namespace takt::orb
