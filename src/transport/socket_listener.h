// A listening socket that copes with running out of descriptors.
#pragma once

#include <atomic>
#include <expected>

#include <takt/transport/acceptor.h>

#include "os/net/stream_sockets.h"
#include "os/reserve_descriptor.h"

namespace takt::transport {

// Shared by the acceptors of all socket types. Threads and errors as in Acceptor.
class SocketListener {
 public:
  // `listener` must outlive this object.
  explicit SocketListener(os::Socket& listener) : listener_(listener) {}

  std::expected<os::Accepted, AcceptError> accept();
  void close();
  // No client joins the queue any more. accept() returns those who wait in it, and then `closed`. For sockets
  // whose connections need no handshake.
  void end_queue();
  // As close(), but the socket goes on listening, because another process has it, too. Wakes no thread.
  void leave() { closed_.store(true, std::memory_order_release); }
  bool is_closed() const { return closed_.load(std::memory_order_acquire); }
  // Closes connections that came before close(), on systems that keep them waiting.
  void reject_waiting();

 private:
  std::expected<os::Accepted, int> accept_on_reserve();

  os::Socket& listener_;
  os::ReserveDescriptor reserve_;
  std::atomic<bool> closed_ = false;
  std::atomic<bool> queue_ends_ = false;
};

}  // namespace takt::transport
