// A peer's text within messages.
#pragma once

#include <string>
#include <string_view>

namespace takt::cdr {

// At most 200 octets of the text; control characters become \xNN.
std::string escape_controls(std::string_view text);

}  // namespace takt::cdr
