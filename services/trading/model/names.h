// Which texts are names of service types, properties and links, and ids of offers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace takt::trading {

using OfferNumber = std::uint64_t;

// Letters, digits and `_:./-`, with a letter first. Also repository ids, such as "IDL:Shop/Printer:1.0".
bool is_type_name(std::string_view text, std::size_t most_bytes);
// An identifier, so that constraints can use it.
bool is_property_name(std::string_view text, std::size_t most_bytes);
// Any text without control characters.
bool is_link_name(std::string_view text, std::size_t most_bytes);

std::string id_of(OfferNumber number);
// Nothing if it is no id that id_of() makes.
std::optional<OfferNumber> number_of(std::string_view id);

}  // namespace takt::trading
