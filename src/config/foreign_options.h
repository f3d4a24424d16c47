// Other ORBs' names of options, so that error messages can state Takt's name.
#pragma once

#include <span>
#include <string_view>

namespace takt::orb {

struct ForeignOption {
  std::string_view orb;
  std::string_view name;  // without -ORB, in its ORB's spelling
  std::string_view ours;  // name of Takt's option
  std::string_view as;    // form of the value in Takt: "iiop://HOST:PORT"
};

// The same table is in docs/user/porting.md.
std::span<const ForeignOption> foreign_options();
// Null if no known ORB has the option.
const ForeignOption* find_foreign_option(std::string_view name);

}  // namespace takt::orb
