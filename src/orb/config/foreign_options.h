// What other ORBs call options, so that whoever comes from one of them is told Takt's name.
#pragma once

#include <span>
#include <string_view>

namespace takt::orb {

struct ForeignOption {
  std::string_view orb;
  std::string_view name;  // without -ORB, in its ORB's spelling
  std::string_view ours;  // an option's name
  std::string_view as;    // how it is written here: "iiop://HOST:PORT"
};

// The same table is in docs/user/porting.md.
std::span<const ForeignOption> foreign_options();
// Null: none that is known.
const ForeignOption* find_foreign_option(std::string_view name);

}  // namespace takt::orb
