// Listening to what is sent to a group.
#pragma once

#include <atomic>
#include <chrono>
#include <expected>
#include <memory>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/transport/acceptor.h>

#include "os/net/socket.h"
#include "transport/miop/group_options.h"

namespace takt::transport::miop {

// Others on this machine may listen to the same, each of them gets everything. One thread reads.
class GroupReceiver {
 public:
  // `at`: a group's address as a number, and its port. It is joined until this is destroyed.
  static std::expected<std::unique_ptr<GroupReceiver>, ListenError> open(const Endpoint& at,
                                                                         const GroupOptions& options,
                                                                         const StreamOptions& streams);
  // Blocks until a message is complete, which begins at a multiple of 8 in memory and is valid until the next
  // call. Empty: close() was called.
  ByteView receive();
  // receive() gives nothing any more. Any thread.
  void close();

 private:
  GroupReceiver(os::Socket socket, const GroupOptions& options);
  bool wait_if_unfinished();

  os::Socket socket_;
  const std::chrono::nanoseconds time_;
  PacketCollections collections_;
  std::vector<std::uint8_t> datagram_;
  std::atomic<bool> closed_{false};
};

}  // namespace takt::transport::miop
