// What the subcommands find out, as JSON; what people read is made of the same.
#pragma once

#include <string>

#include <takt/base/bytes.h>

#include <nlohmann/json.hpp>

namespace takt::command {

using Json = nlohmann::ordered_json;

// Indented lines, "type id: IDL:Hello/Greeter:1.0"; an element of a list begins with "- ". What could be
// mistaken for a terminal's commands is escaped, and long text is cut.
std::string page_of(const Json& json);
// With a line end; whatever octets its strings hold.
std::string text_of(const Json& json);

std::string hex_of(ByteView octets);
// "0x54414f00"
std::string hex_number(std::uint32_t number);

}  // namespace takt::command
