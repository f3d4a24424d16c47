#include "roads/trust.h"

#include "os/net/unix_socket.h"

namespace takt::roads {

namespace {
// The kernel reports this user for every user of another user namespace, so it identifies none.
constexpr std::uint32_t unmapped_user = 65534;
}  // namespace

Trust::Trust(std::optional<std::uint32_t> group) : Trust(os::own_user(), group) {}

std::string Trust::objection_to(const os::Socket& socket) const {
  const auto peer = os::peer_of_unix_socket(socket);
  if (!peer) return "the system does not say which process is there";
  if (peer->user == user_ && user_ != unmapped_user) return {};
  if (group_ && os::is_in_group(socket, *peer, *group_)) return {};
  return "process " + std::to_string(peer->process) + " of user " + std::to_string(peer->user) +
         (group_ ? " is there, neither of this user nor in -ORBLocalGroup" : " is there, not of this user");
}

}  // namespace takt::roads
