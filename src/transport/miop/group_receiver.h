// Receiving the messages of a group.
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

// Several receivers on this machine may join the same group; each gets every packet. One thread reads.
class GroupReceiver {
 public:
  // `at`: the group's numeric address and its port. The membership lasts until the destructor.
  static std::expected<std::unique_ptr<GroupReceiver>, ListenError> open(const Endpoint& at,
                                                                         const GroupOptions& options,
                                                                         const StreamOptions& streams);
  // Blocks until a message is complete. The message is aligned to 8 octets and valid until the next call.
  // Empty after close().
  ByteView receive();
  // Makes receive() return an empty view from now on. Any thread.
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
