// Finding options by their names.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "config/options_table.h"

namespace takt::orb {

// Null if there is none.
const Option* find_option(std::string_view name);
// The name in `names` that is most similar to `name`, ignoring case. `names` must not be empty.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> names);
// The same, but nullopt if more than a quarter of the letters differ.
std::optional<std::string_view> near_name(std::string_view name, std::span<const std::string_view> names);
// Advice for a user whose option does not exist, with `prefix` before options' names: "did you mean
// -ORBConnectTimeout?", or Takt's name of another ORB's option.
std::string advice_on_option(std::string_view unknown, std::string_view prefix);

// The words of -ORB options, but for the ORB's name: each with a space before it.
std::string text_without_name(std::span<const std::string> words);

inline constexpr std::string_view variable_prefix = "TAKT_";
// TAKT_CONNECT_TIMEOUT for ConnectTimeout.
std::string environment_name(std::string_view option);
// The option of that environment variable. Null if there is none.
const Option* find_variable(std::string_view variable);
// The variable of an option whose name is similar to `unknown`, which must begin with the prefix. nullopt if
// none is.
std::optional<std::string> near_variable(std::string_view unknown);

}  // namespace takt::orb
