// How many connections each peer of a server has.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include <takt/transport/stream.h>

#include "os/threads/priority_mutex.h"

namespace takt::server {

// Counts by IPv4 address, and by IPv6 network of 64 bits, which is what one subscriber gets. Peers of the
// same machine, by loopback or without an address, share theirs and are not counted. Any thread.
class PeerConnections {
  struct Counts {
    os::PriorityMutex mutex;
    std::unordered_map<std::string, std::size_t> by_network;
  };

 public:
  // One connection's place in the count, which it has until this is destroyed. May outlive PeerConnections.
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

  // Nothing: the peer has `most` connections already. May allocate.
  std::optional<Place> admit(const transport::Stream& stream, std::size_t most);

 private:
  const std::shared_ptr<Counts> counts_ = std::make_shared<Counts>();
};

}  // namespace takt::server
