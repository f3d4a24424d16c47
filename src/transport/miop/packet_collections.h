// Messages of MIOP put together from packets that may be lost, doubled, late, or lies.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <takt/base/bytes.h>

#include <takt/os/clock.h>

#include "base/numbered_parts.h"
#include "transport/miop/packet.h"

namespace takt::transport::miop {

// What packets can cost that never become a message.
struct CollectionLimits {
  std::size_t message_bytes = 1024 * 1024;                  // of one message
  std::size_t bytes = 8 * 1024 * 1024;                      // kept of all that are not complete
  std::uint32_t packets = 16 * 1024;                        // of one message
  std::size_t collections = 256;                            // begun at a time,
  std::size_t collections_of_peer = 16;                     // and of one sender
  std::chrono::nanoseconds time = std::chrono::seconds(1);  // from a collection's first packet to its last
};

// Without a socket or a clock; one thread. What would pass a limit makes room by giving up the oldest
// collection: the sender's own where it has too many, else the oldest of all. Collections that lie (packets
// that contradict each other) are given up, too. A message is given once: the last `remembered` that were
// complete are known by sender and id.
class PacketCollections {
 public:
  static constexpr std::size_t remembered = 256;

  explicit PacketCollections(const CollectionLimits& limits) : limits_(limits) {}

  // What came from `peer`, which stands for an address. The message that it completes: valid until the next
  // take(), and at a multiple of 8 in memory if the datagram is; else empty. Allocates, but for messages of
  // one packet.
  ByteView take(ByteView peer, ByteView datagram, os::TimePoint now);

  // Gives up what is older than the limit; take() does so by itself.
  void expire(os::TimePoint now);

  std::size_t unfinished() const { return by_key_.size(); }
  std::size_t bytes() const { return bytes_; }
  // Collections that were given up.
  std::uint64_t given_up() const { return given_up_; }

 private:
  struct Collection {
    std::string key;  // the peer, and the id
    std::size_t peer_bytes = 0;
    os::TimePoint begun;
    std::uint32_t count = 0;  // 0: not known yet
    NumberedParts parts = {};
    std::string_view peer() const { return std::string_view(key).substr(0, peer_bytes); }
    std::size_t bytes() const { return parts.bytes() + key.size(); }
  };
  using Collections = std::list<Collection>;  // the oldest first
  struct Known {
    std::size_t hash = 0;
    std::string key;
  };

  bool is_known(std::string_view key) const;
  void remember(std::string_view key);
  Collections::iterator begin(std::string_view key, std::size_t peer_bytes, os::TimePoint now);
  bool add(Collection& collection, const Packet& packet);
  ByteView complete(Collections::iterator collection);
  void give_up(Collections::iterator collection);
  void forget(Collections::iterator collection);

  const CollectionLimits limits_;
  Collections collections_;
  std::unordered_map<std::string_view, Collections::iterator> by_key_;  // views of the collections' keys
  std::size_t bytes_ = 0;
  std::uint64_t given_up_ = 0;
  std::string key_;  // of the packet at hand
  std::vector<std::uint8_t> message_;
  std::array<Known, remembered> known_;
  std::size_t next_known_ = 0;
};

}  // namespace takt::transport::miop
