// Sending messages to the members of a group.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <takt/os/clock.h>
#include <takt/os/io_result.h>
#include <takt/transport/connector.h>

#include "os/net/socket.h"
#include "transport/miop/group_options.h"
#include "transport/stream_ends.h"

namespace takt::transport::miop {

// One thread at a time. Delivery is not acknowledged: packets that the network loses are lost.
class GroupSender {
 public:
  // `to`: the group's numeric address and its port. Sends nothing yet.
  static std::expected<std::unique_ptr<GroupSender>, ConnectError> open(const Endpoint& to,
                                                                        const GroupOptions& options,
                                                                        const StreamOptions& streams);
  // Sends the message, given in pieces, in as many packets as needed, one system call each. Blocks while the
  // system has no room, until the deadline; then returns `timed_out`, and `bytes` says how much was sent.
  // Allocates at first.
  os::IoResult send(std::span<const ByteView> message, os::TimePoint deadline);
  // "miop 192.0.2.1:40000 -> 239.1.2.3:5000". For people. Allocates.
  std::string describe() const { return ends_.text(); }
  const StreamEnds& ends() const { return ends_; }

 private:
  GroupSender(os::Socket socket, StreamEnds ends, std::size_t datagram_bytes);
  os::IoResult send_packet(os::TimePoint deadline);

  os::Socket socket_;
  const StreamEnds ends_;
  const std::size_t datagram_bytes_;
  const std::uint64_t number_;     // random number of this sender
  std::uint32_t collections_ = 0;  // number of messages sent so far
  std::vector<std::uint8_t> datagram_;
};

}  // namespace takt::transport::miop
