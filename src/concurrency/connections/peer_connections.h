// Counts and limits the connections of each peer of a server.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include <takt/transport/stream.h>

#include "threads/locks/priority_mutex.h"

namespace takt::server {

// Counts by IPv4 address and by 64-bit IPv6 network, which is the size that one subscriber gets. Peers on
// this machine, over loopback or without an address, are not counted. Any thread.
class PeerConnections {
  struct Counts {
    os::PriorityMutex mutex;
    std::unordered_map<std::string, std::size_t> by_network;
  };

 public:
  // Counts one connection until it is destroyed. May outlive PeerConnections.
  class Place {
   public:
    Place() = default;
    Place(std::shared_ptr<Counts> counts, std::string network)
        : counts_(std::move(counts)), network_(std::move(network)) {}
    Place(Place&& other) noexcept = default;
    Place& operator=(Place&& other) noexcept {
      std::swap(counts_, other.counts_);
      std::swap(network_, other.network_);
      return *this;
    }
    ~Place();

   private:
    std::shared_ptr<Counts> counts_;  // null: not counted
    std::string network_;
  };

  // nullopt if the peer already has `most` connections. May allocate.
  std::optional<Place> admit(const transport::Stream& stream, std::size_t most);

 private:
  const std::shared_ptr<Counts> counts_ = std::make_shared<Counts>();
};

}  // namespace takt::server
