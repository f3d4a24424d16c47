#pragma once

#include <cstdint>

namespace takt::imr {

// From where servers of other ORBs register, which show no token.
enum class Registrations : std::uint8_t {
  none,
  local,   // processes of this user that listen on this machine
  network  // all clients that reach the repository
};

}  // namespace takt::imr
