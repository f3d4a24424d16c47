// Conversion between an option's text and its value.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "config/options_table.h"

namespace takt::orb {

// Sets the option, or appends to it if it is a list. The error says, for people, what is allowed.
std::expected<void, std::string> set_option(const Option& option, std::string_view text, Settings& settings);

// The same, but appends the text to a list as one item, without looking for separators.
std::expected<void, std::string> add_item(const Option& option, std::string_view text, Settings& settings);
// The option's value as text for set_option(). A list has one text per item.
std::vector<std::string> texts_of(const Option& option, const Settings& settings);
// The texts of a value as one text for set_option().
std::string joined(const Option& option, const std::vector<std::string>& texts);
// The value that Settings() has, as a user would write it; empty if there is none.
std::string default_of(const Option& option);
// Removes the items of a list; leaves other options as they are.
void clear_list(const Option& option, Settings& settings);

// The text of an error: "WHERE: 'VALUE' is not valid: WHY". Long values are shortened.
std::string not_valid(std::string_view where, std::string_view value, std::string_view why);
// The value in quotes, shortened if it is long.
std::string in_quotes(std::string_view value);

// Whether plug-ins may give a strategy this name: lower-case letters, digits and hyphens, at most 100.
bool is_strategy_name(std::string_view text);
// The value if it is none of the ORB's own, so that a plug-in must have added it; else empty.
std::string plugin_value_of(const Option& option, const Settings& settings);

// The values that the option accepts, for people: "a duration from 1ms to 1h".
std::string range_of(const Option& option);
// The same, with the unit of a number.
std::string documented_range_of(const Option& option);

// "250ms", "5s". The units are ns, us, ms, s, min and h; only 0 may have none.
std::expected<std::chrono::nanoseconds, std::string> duration_from_text(std::string_view text);
// "8192", "8KiB", "1MiB", "1GiB".
std::expected<std::size_t, std::string> bytes_from_text(std::string_view text);
std::string duration_to_text(std::chrono::nanoseconds value);
std::string bytes_to_text(std::size_t value);

}  // namespace takt::orb
