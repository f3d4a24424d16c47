#include "call/phases.h"

#include <cstdio>

namespace takt::command {

void Phases::print(std::ostream& out) const {
  for (const auto& [name, time] : times_) {
    char line[64];
    std::snprintf(line, sizeof line, "%-9s %9.3f ms", name.c_str(),
                  std::chrono::duration<double, std::milli>(time).count());
    out << line << '\n';
  }
}

}  // namespace takt::command
