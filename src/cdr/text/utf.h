// Conversion between UTF-8, the program's form of text, and transmission code sets.
#pragma once

#include <string>
#include <string_view>

#include <takt/cdr/code_sets.h>

namespace takt::cdr {

// The next character; advances `text`. Returns 0xffffffff for ill-formed octets.
char32_t next_utf_8(std::string_view& text);

// Return false if the code set lacks a character, or the octets are not valid text.
bool from_utf_8(std::string_view text, CodeSetId to, std::string& converted);
bool to_utf_8(std::string_view octets, CodeSetId from, std::string& text);

// Other code sets, through the system's iconv.
bool convert_with_iconv(std::string_view octets, CodeSetId from, CodeSetId to, std::string& converted);

}  // namespace takt::cdr
