#include "concurrency/connections/peer_connections.h"

#include <mutex>

#include "os/net/address.h"

namespace takt::server {

namespace {

// The network by which the peer is counted; empty if it is not counted.
std::string network_of(const transport::Stream& stream) {
  const auto address = os::Address::parse(stream.peer_host(), 0);
  return address && !address->is_loopback() ? address->network_text() : std::string();
}

}  // namespace

PeerConnections::Place::~Place() {
  if (!counts_) return;
  std::lock_guard lock(counts_->mutex);
  const auto found = counts_->by_network.find(network_);
  if (--found->second == 0) counts_->by_network.erase(found);
}

std::optional<PeerConnections::Place> PeerConnections::admit(const transport::Stream& stream,
                                                             std::size_t most) {
  std::string network = network_of(stream);
  if (network.empty()) return Place();
  std::lock_guard lock(counts_->mutex);
  std::size_t& count = counts_->by_network[network];
  if (count >= most) return std::nullopt;
  ++count;
  return Place(counts_, std::move(network));
}

}  // namespace takt::server
