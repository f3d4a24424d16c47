// Which messages a connection may carry.
#pragma once

#include <cstdint>

namespace takt::giop {

enum class Messaging : std::uint8_t {
  giop,
  lite,  // and GIOPlite's short heads, once both ends have agreed
};

}  // namespace takt::giop
