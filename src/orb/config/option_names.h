// Finding options by their names.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "orb/config/options_table.h"

namespace takt::orb {

// Null: there is none.
const Option* find_option(std::string_view name);
// Of these, the one that is most like what somebody wrote; letters of either case alike. Not for no names.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> names);
// That one, if it differs in no more than a quarter of the letters.
std::optional<std::string_view> near_name(std::string_view name, std::span<const std::string_view> names);
// For somebody who wrote an option that does not exist: what was meant, each option's name after `prefix`.
// "did you mean -ORBConnectTimeout?", or what another ORB's option is called here.
std::string advice_on_option(std::string_view unknown, std::string_view prefix);

inline constexpr std::string_view variable_prefix = "TAKT_";
// TAKT_CONNECT_TIMEOUT for ConnectTimeout.
std::string environment_name(std::string_view option);
// The option of that environment variable; null: there is none.
const Option* find_variable(std::string_view variable);
// The variable of an option that this one, which is of none, is nearly called like.
std::optional<std::string> near_variable(std::string_view unknown);

}  // namespace takt::orb
