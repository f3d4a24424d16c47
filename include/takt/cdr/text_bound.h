// The bounds of string<N> and wstring<N>.
#pragma once

#include <cstdint>
#include <string_view>

namespace takt::cdr {

// Whether a text has more than `bound` characters. A string is UTF-8, so that a character may have several
// octets; an octet that is not part of a character counts as one. So a text is within its bound, or not,
// whatever code set a connection transmits it in.
bool is_beyond(std::string_view text, std::uint32_t bound);
inline bool is_beyond(std::wstring_view text, std::uint32_t bound) { return text.size() > bound; }

}  // namespace takt::cdr
