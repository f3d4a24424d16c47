#include "transport/tcp/inherited_listener.h"

#include <array>
#include <atomic>
#include <cstddef>

#include "os/net/stream_sockets.h"
#include "os/process/service_manager.h"

namespace takt::transport {
namespace {

constinit std::array<std::atomic<bool>, os::most_passed_descriptors> taken{};

std::atomic<bool>& is_taken(int descriptor) {
  return taken[static_cast<std::size_t>(descriptor - os::first_passed_descriptor)];
}

}  // namespace

[[gnu::cold]] std::optional<os::Socket> inherited_listener(const os::Address& address, int backlog) {
  const int end = os::first_passed_descriptor + os::passed_descriptors();
  for (int each = os::first_passed_descriptor; each < end; ++each) {
    if (os::Address::local_of(each) != address) continue;
    auto socket = os::duplicate(each);
    // Sockets of datagrams and connections cannot listen.
    if (socket && os::listen(*socket, backlog) == 0) {
      is_taken(each) = true;
      return std::move(*socket);
    }
  }
  return std::nullopt;
}

[[gnu::cold]] std::vector<std::optional<os::Address>> untaken_listeners() {
  std::vector<std::optional<os::Address>> untaken;
  const int end = os::first_passed_descriptor + os::passed_descriptors();
  for (int each = os::first_passed_descriptor; each < end; ++each)
    if (!is_taken(each) && os::listens(each)) untaken.push_back(os::Address::local_of(each));
  return untaken;
}

}  // namespace takt::transport
