// A listening socket that survives running out of descriptors.
#pragma once

#include <atomic>
#include <expected>

#include <takt/transport/acceptor.h>

#include "os/net/stream_sockets.h"
#include "os/reserve_descriptor.h"

namespace takt::transport {

// What the acceptors of all kinds of sockets have in common; threads and errors as Acceptor says.
class SocketListener {
 public:
  // `listener` outlives it.
  explicit SocketListener(os::Socket& listener) : listener_(listener) {}

  std::expected<os::Accepted, AcceptError> accept();
  void close();
  // For a system that keeps those waiting who came before close().
  void turn_away_waiting();

 private:
  std::expected<os::Accepted, int> accept_on_reserve();

  os::Socket& listener_;
  os::ReserveDescriptor reserve_;
  std::atomic<bool> closed_ = false;
};

}  // namespace takt::transport
