#include "transport/socket_listener.h"

#include <cerrno>

namespace takt::transport {

std::expected<os::Accepted, AcceptError> SocketListener::accept() {
  if (closed_.load(std::memory_order_acquire)) return std::unexpected(AcceptError::closed);
  reserve_.take();
  auto accepted = os::accept(listener_);
  if (!accepted && os::is_exhaustion(accepted.error()) && reserve_.held()) accepted = accept_on_reserve();
  if (accepted) return std::move(*accepted);
  if (closed_.load(std::memory_order_acquire) || queue_ends_.load(std::memory_order_acquire))
    return std::unexpected(AcceptError::closed);
  const int error = accepted.error();
  if (error == EAGAIN || error == EWOULDBLOCK) return std::unexpected(AcceptError::would_block);
  return std::unexpected(os::is_exhaustion(error) ? AcceptError::exhausted : AcceptError::failed);
}

// Accepts the longest-waiting client with the reserve descriptor. Keeps the connection if a new reserve is
// available; if not, closes it, so that the client learns at once and the listener does not stay ready.
std::expected<os::Accepted, int> SocketListener::accept_on_reserve() {
  reserve_.give_up();
  auto accepted = os::accept(listener_);
  reserve_.take();
  if (!accepted || reserve_.held()) return accepted;
  accepted = std::unexpected(EMFILE);
  reserve_.take();
  return accepted;
}

void SocketListener::close() {
  closed_.store(true, std::memory_order_release);
  listener_.shut_down();  // wakes accept(); the descriptor stays open, so that its number is not reused
}

void SocketListener::end_queue() {
  queue_ends_.store(true, std::memory_order_release);
  listener_.shut_down();
}

// After the shutdown no client joins the queue, and accept() fails at once when the queue is empty.
void SocketListener::reject_waiting() {
  while (os::accept(listener_)) continue;
}

}  // namespace takt::transport
