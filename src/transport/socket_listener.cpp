#include "transport/socket_listener.h"

#include <cerrno>

namespace takt::transport {

std::expected<os::Accepted, AcceptError> SocketListener::accept() {
  if (closed_.load(std::memory_order_acquire)) return std::unexpected(AcceptError::closed);
  reserve_.take();
  auto accepted = os::accept(listener_);
  if (!accepted && os::is_exhaustion(accepted.error()) && reserve_.held()) accepted = accept_on_reserve();
  if (accepted) return std::move(*accepted);
  if (closed_.load(std::memory_order_acquire)) return std::unexpected(AcceptError::closed);
  const int error = accepted.error();
  if (error == EAGAIN || error == EWOULDBLOCK) return std::unexpected(AcceptError::would_block);
  return std::unexpected(os::is_exhaustion(error) ? AcceptError::exhausted : AcceptError::failed);
}

// Takes the client that waits longest with the reserve's descriptor, and keeps it if there is one for the
// reserve again. If not, its connection ends: it learns at once, and the listener does not stay ready.
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
  listener_.shut_down();  // wakes accept(); the descriptor stays ours, so that no other gets its number
}

// After shutting down nobody new comes, and an empty queue gives an error at once.
void SocketListener::turn_away_waiting() {
  while (os::accept(listener_)) continue;
}

}  // namespace takt::transport
