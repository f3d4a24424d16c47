// The results of subcommands as JSON, and the readable text made from it.
#pragma once

#include <string>

#include <takt/base/bytes.h>

#include <nlohmann/json.hpp>

namespace takt::command {

using Json = nlohmann::ordered_json;

// Indented lines such as "type id: IDL:Hello/Greeter:1.0"; elements of lists begin with "- ". Escapes
// terminal control characters and truncates long text.
std::string page_of(const Json& json);
// JSON text with a line end. Invalid UTF-8 in strings is replaced.
std::string text_of(const Json& json);

// The text for a terminal: other characters than those of ASCII are shown as \x1b, and long text is
// truncated.
std::string escape_non_ascii(const std::string& text);
std::string hex_of(ByteView octets);
// ISO 8601 with microseconds, UTC.
std::string time_in_words(std::int64_t since_1970_ns);
// "0x54414f00"
std::string hex_number(std::uint32_t number);

}  // namespace takt::command
