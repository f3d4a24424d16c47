#include "transport/miop/group_sender.h"

#include <cerrno>
#include <cstring>

#include "os/error_text.h"
#include "os/net/datagram_sockets.h"
#include "os/net/multicast_sockets.h"
#include "os/poll/wait.h"
#include "transport/udp/cookies.h"
#include "transport/udp/udp_acceptor.h"

namespace takt::transport::miop {
namespace {

[[gnu::cold]] ConnectError cannot_send(const Endpoint& to, int error, const std::string& advice) {
  return {ConnectError::Phase::connect, error,
          "cannot send to the group at " + to_text(to) + ": " + os::error_text(error) + "; " + advice};
}

}  // namespace

GroupSender::GroupSender(os::Socket socket, StreamEnds ends, std::size_t datagram_bytes)
    : socket_(std::move(socket)),
      ends_(std::move(ends)),
      datagram_bytes_(datagram_bytes),
      number_(unguessable_number()) {}

[[gnu::cold]] std::expected<std::unique_ptr<GroupSender>, ConnectError> GroupSender::open(
    const Endpoint& to, const GroupOptions& options, const StreamOptions& streams) {
  const auto address = os::Address::parse(to.host, to.port);
  if (!address || !os::is_multicast(*address))
    return std::unexpected(cannot_send(to, EINVAL,
                                       "a group's address is a number from 224.0.0.0 to "
                                       "239.255.255.255, or one of IPv6 that begins with ff"));
  const auto interface = os::interface_number(options.interface);
  if (!interface)
    return std::unexpected(
        cannot_send(to, interface.error(), "-ORBMulticastInterface is not an interface of this machine"));
  auto socket = os::open_group_sender(*address, {*interface, options.hops, options.loopback});
  if (!socket)
    return std::unexpected(cannot_send(to, socket.error(),
                                       "is there a route for multicast? -ORBMulticastInterface "
                                       "says which network it is for"));
  apply_to_datagrams(streams, *socket);
  const auto local = os::Address::local_of(socket->fd()).value_or(os::Address());
  return std::unique_ptr<GroupSender>(new GroupSender(
      std::move(*socket), StreamEnds{"miop", local.text(), address->text()}, options.datagram_bytes));
}

os::IoResult GroupSender::send(std::span<const ByteView> message, os::TimePoint deadline) {
  CollectionId id;
  std::memcpy(id.data(), &number_, sizeof number_);
  std::memcpy(id.data() + sizeof number_, &collections_, sizeof collections_);
  ++collections_;
  std::size_t sent = 0;
  for (Packets packets(message, id, datagram_bytes_); packets.next(datagram_);) {
    const os::IoResult result = send_packet(deadline);
    if (result.status != os::IoStatus::ok) return {sent, result.status, result.error};
    sent += datagram_.size() - packet_head_bytes;
  }
  return {sent, os::IoStatus::ok, 0};
}

// Some networks report ECONNREFUSED, for an earlier packet, if no member listens. That is harmless: retry.
os::IoResult GroupSender::send_packet(os::TimePoint deadline) {
  const ByteView piece = datagram_;
  for (;;) {
    const os::IoResult result = os::send_datagram(socket_, {&piece, 1});
    if (result.status == os::IoStatus::failed && result.error == ECONNREFUSED) continue;
    if (result.status != os::IoStatus::would_block) return result;
    if (os::wait_ready(socket_.fd(), os::Interest::write, deadline) != os::WaitResult::ready)
      return {0, os::IoStatus::timed_out, 0};
  }
}

}  // namespace takt::transport::miop
