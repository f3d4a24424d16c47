#include "orb/warnings.h"

#include <iostream>
#include <syncstream>

namespace takt::orb {

void warn(const Settings& settings, std::string_view text) {
  if (warns(settings)) std::osyncstream(std::cerr) << "takt: " << text << '\n';
}

}  // namespace takt::orb
