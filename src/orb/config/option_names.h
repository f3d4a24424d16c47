// Finding options by their names.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "orb/config/options_table.h"

namespace takt::orb {

// Null: there is none.
const Option* find_option(std::string_view name);
// Of these, the one that is most like what somebody wrote; letters of either case alike. Not for no names.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> names);
std::string_view nearest_option(std::string_view name);
// TAKT_CONNECT_TIMEOUT for ConnectTimeout.
std::string environment_name(std::string_view option);

}  // namespace takt::orb
