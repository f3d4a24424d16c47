// Which processes of this machine an ORB shares roads with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "os/net/socket.h"

namespace takt::roads {

// A process of the same user, or of a group if there is one. Both ends decide by what the kernel says of the
// other (SO_PEERCRED). Immutable; any thread.
class Trust {
 public:
  // The user that this process has now. `group`: nullopt if only the user counts.
  explicit Trust(std::optional<std::uint32_t> group);
  Trust(std::uint32_t user, std::optional<std::uint32_t> group) : user_(user), group_(group) {}

  // Why the process at the other end of the socket is not trusted; empty if it is. Does not block.
  std::string objection_to(const os::Socket& socket) const;

 private:
  const std::uint32_t user_;
  const std::optional<std::uint32_t> group_;
};

}  // namespace takt::roads
