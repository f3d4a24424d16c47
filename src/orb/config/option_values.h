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

// As set_option(), but adds one item to a list, whatever characters it has.
std::expected<void, std::string> add_item(const Option& option, std::string_view text, Settings& settings);
// The texts that set_option() would take to set it so: one, or a list's items.
std::vector<std::string> texts_of(const Option& option, const Settings& settings);
// The text that set_option() would take for all of them.
std::string joined(const Option& option, const std::vector<std::string>& texts);
// As a user would write it; empty: none. It is what Settings() has.
std::string default_of(const Option& option);
// The items of an option that is a list; null for others.
std::vector<std::string>* list_of(const Option& option, Settings& settings);

// The values that the option takes, for people: "a duration from 1ms to 1h".
std::string range_of(const Option& option);
// With the unit of a number.
std::string documented_range_of(const Option& option);

// "250ms", "5s", "1500" (ns, us, ms, s, min, h; a bare number only for 0).
std::expected<std::chrono::nanoseconds, std::string> duration_from_text(std::string_view text);
// "8192", "8KiB", "1MiB", "1GiB".
std::expected<std::size_t, std::string> bytes_from_text(std::string_view text);
std::string duration_to_text(std::chrono::nanoseconds value);
std::string bytes_to_text(std::size_t value);

}  // namespace takt::orb
