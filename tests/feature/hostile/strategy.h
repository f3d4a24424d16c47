// Server strategies by name, for parameterized tests.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace feature {

struct Strategy {
  const char* name;
  std::vector<std::string> options;
};

inline void PrintTo(const Strategy& strategy, std::ostream* out) { *out << strategy.name; }

}  // namespace feature
