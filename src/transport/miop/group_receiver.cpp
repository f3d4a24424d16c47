#include "transport/miop/group_receiver.h"

#include <cerrno>
#include <thread>

#include "os/error_text.h"
#include "os/net/datagram_sockets.h"
#include "os/net/multicast_sockets.h"
#include "os/poll/wait.h"
#include "transport/udp/udp_acceptor.h"

namespace takt::transport::miop {
namespace {

constexpr std::size_t longest_datagram = 64 * 1024;
// Pause after a network or memory error, which may be transient, to avoid spinning.
constexpr std::chrono::milliseconds after_failure{10};

[[gnu::cold]] ListenError cannot_join(const Endpoint& at, int error, const std::string& advice) {
  return {error, "cannot join the group at " + to_text(at) + ": " + os::error_text(error) + "; " + advice};
}

}  // namespace

GroupReceiver::GroupReceiver(os::Socket socket, const GroupOptions& options)
    : socket_(std::move(socket)),
      time_(options.limits.time),
      collections_(options.limits),
      datagram_(longest_datagram) {}

std::expected<std::unique_ptr<GroupReceiver>, ListenError> GroupReceiver::open(const Endpoint& at,
                                                                               const GroupOptions& options,
                                                                               const StreamOptions& streams) {
  const auto address = os::Address::parse(at.host, at.port);
  if (!address || !os::is_multicast(*address))
    return std::unexpected(cannot_join(at, EINVAL,
                                       "a group's address is a number from 224.0.0.0 to "
                                       "239.255.255.255, or one of IPv6 that begins with ff"));
  const auto interface = os::interface_number(options.interface);
  if (!interface)
    return std::unexpected(
        cannot_join(at, interface.error(), "-ORBMulticastInterface is not an interface of this machine"));
  auto socket = os::open_group_member(*address, *interface);
  if (!socket)
    return std::unexpected(cannot_join(at, socket.error(),
                                       "is there a network for multicast, and does another process hold the "
                                       "port exclusively? -ORBMulticastInterface says which network"));
  apply_to_datagrams(streams, *socket);
  return std::unique_ptr<GroupReceiver>(new GroupReceiver(std::move(*socket), options));
}

ByteView GroupReceiver::receive() {
  while (!closed_) {
    if (!wait_if_unfinished()) continue;
    os::Address peer;
    const os::IoResult received = os::receive_from(socket_, datagram_, peer);
    if (received.status == os::IoStatus::failed) std::this_thread::sleep_for(after_failure);
    if (received.status != os::IoStatus::ok) continue;  // would_block, an empty datagram, or after close()
    const ByteView from(reinterpret_cast<const std::uint8_t*>(peer.data()), peer.size());
    const ByteView message =
        collections_.take(from, ByteView(datagram_).first(received.bytes), os::Clock::now());
    if (!message.empty()) return message;
  }
  return {};
}

// Waits for a packet, and drops messages that were not completed in time. False: nothing arrived in time.
bool GroupReceiver::wait_if_unfinished() {
  if (collections_.unfinished() == 0 ||
      os::wait_ready(socket_.fd(), os::Interest::read, os::Clock::now() + time_) == os::WaitResult::ready)
    return true;
  collections_.expire(os::Clock::now());
  return false;
}

void GroupReceiver::close() {
  closed_ = true;
  socket_.shut_down();
}

}  // namespace takt::transport::miop
