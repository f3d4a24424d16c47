// UTF-8, the program's own form of text, to and from what travels.
#pragma once

#include <string>
#include <string_view>

#include <takt/cdr/code_sets.h>

namespace takt::cdr {

// The next character; advances `text`. Ill-formed octets give 0xffffffff.
char32_t next_utf_8(std::string_view& text);

// False: a character that the code set does not have, or octets that are no text.
bool from_utf_8(std::string_view text, CodeSetId to, std::string& converted);
bool to_utf_8(std::string_view octets, CodeSetId from, std::string& text);

// Other code sets, by the system's iconv.
bool convert_with_iconv(std::string_view octets, CodeSetId from, CodeSetId to, std::string& converted);

}  // namespace takt::cdr
