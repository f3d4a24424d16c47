// Conversions of values that both tables use.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "foreign/setting.h"

namespace takt::orb::others {

// All of the text is the number.
std::optional<std::uint64_t> number_in(std::string_view text);

std::string same(const Setting& setting, std::string_view value, Collector& into);
std::string milliseconds(const Setting& setting, std::string_view value, Collector& into);
// 0 stays what Takt has.
std::string milliseconds_if_any(const Setting& setting, std::string_view value, Collector& into);
std::string seconds(const Setting& setting, std::string_view value, Collector& into);
std::string count(const Setting& setting, std::string_view value, Collector& into);
// Octets. A negative number, or 0, stays what Takt has.
std::string octets(const Setting& setting, std::string_view value, Collector& into);

}  // namespace takt::orb::others
