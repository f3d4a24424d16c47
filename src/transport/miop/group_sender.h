// Sending messages to everybody in a group.
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

namespace takt::transport::miop {

// One thread at a time. Nobody says that anything has come: what the network loses is lost.
class GroupSender {
 public:
  // `to`: a group's address as a number, and its port. Sends nothing.
  static std::expected<std::unique_ptr<GroupSender>, ConnectError> open(const Endpoint& to,
                                                                        const GroupOptions& options,
                                                                        const StreamOptions& streams);
  // The message, which the pieces are, in as many packets as it takes. Blocks while the system has no room,
  // until the deadline: then `timed_out`, and `bytes` says what has left. One system call for each packet.
  // Allocates at first.
  os::IoResult send(std::span<const ByteView> message, os::TimePoint deadline);
  // "miop 192.0.2.1:40000 -> 239.1.2.3:5000". Allocates; for people.
  const std::string& describe() const { return description_; }

 private:
  GroupSender(os::Socket socket, std::string description, std::size_t datagram_bytes);
  os::IoResult send_packet(os::TimePoint deadline);

  os::Socket socket_;
  const std::string description_;
  const std::size_t datagram_bytes_;
  const std::uint64_t number_;     // of this sender, at random
  std::uint32_t collections_ = 0;  // sent so far
  std::vector<std::uint8_t> datagram_;
};

}  // namespace takt::transport::miop
