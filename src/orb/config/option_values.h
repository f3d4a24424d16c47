// From an option's text to its value.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "orb/config/options_table.h"

namespace takt::orb {

// Sets the option; the error says, for people, what would have been right. Lists grow.
std::expected<void, std::string> set_option(const Option& option, std::string_view text, Settings& settings);

// As set_option(), but of a list one item, whatever is in it.
std::expected<void, std::string> add_item(const Option& option, std::string_view text, Settings& settings);
// What set_option() would take for it; of a list, each item.
std::vector<std::string> texts_of(const Option& option, const Settings& settings);

// What values the option takes, for people: "a duration from 1ms to 1h".
std::string range_of(const Option& option);

// "250ms", "5s", "1500" (ns, us, ms, s, min, h; a bare number only for 0).
std::expected<std::chrono::nanoseconds, std::string> duration_from_text(std::string_view text);
// "8192", "8KiB", "1MiB", "1GiB".
std::expected<std::size_t, std::string> bytes_from_text(std::string_view text);
std::string duration_to_text(std::chrono::nanoseconds value);
std::string bytes_to_text(std::size_t value);

}  // namespace takt::orb
