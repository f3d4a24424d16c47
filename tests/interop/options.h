// Options of the test's programs, which ORB_init leaves.
#pragma once

#include <algorithm>
#include <string_view>

namespace interop {

// Removes the option from the arguments. Returns whether it was there.
inline bool take_option(int& argc, char** argv, std::string_view option) {
  char** const end = argv + argc;
  char** const kept = std::remove_if(argv + 1, end, [&](const char* one) { return one == option; });
  argc -= static_cast<int>(end - kept);
  return kept != end;
}

}  // namespace interop
