// Reassembly of MIOP messages from packets that may be lost, duplicated, late or forged.
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

// Limits of what incomplete messages can cost.
struct CollectionLimits {
  std::size_t message_bytes = 1024 * 1024;                  // size of a message
  std::size_t bytes = 8 * 1024 * 1024;                      // memory of all incomplete collections
  std::uint32_t packets = 16 * 1024;                        // packets in a message
  std::size_t collections = 256;                            // incomplete at a time
  std::size_t collections_of_peer = 16;                     // incomplete at a time per sender
  std::chrono::nanoseconds time = std::chrono::seconds(1);  // from a collection's first packet to its last
};

// Uses no socket and no clock; one thread. At a limit it drops the oldest collection: the sender's own if
// that sender has too many, else the oldest of all. It also drops collections whose packets contradict each
// other. It delivers a message once: it remembers sender and id of the last `remembered` complete ones.
class PacketCollections {
 public:
  static constexpr std::size_t remembered = 256;

  explicit PacketCollections(const CollectionLimits& limits) : limits_(limits) {}

  // Takes a datagram from `peer`, an opaque address. Returns the message that it completes, or an empty view.
  // The message is valid until the next take(), and 8-aligned in memory if the datagram is. Allocates, except
  // for messages of one packet.
  ByteView take(ByteView peer, ByteView datagram, os::TimePoint now);

  // Drops collections that are older than the limit. take() calls it itself.
  void expire(os::TimePoint now);

  std::size_t unfinished() const { return by_key_.size(); }
  std::size_t bytes() const { return bytes_; }
  // Number of dropped collections.
  std::uint64_t given_up() const { return given_up_; }

 private:
  struct Collection {
    std::string key;  // the peer's address, then the id
    std::size_t peer_bytes = 0;
    os::TimePoint begun;
    std::uint32_t count = 0;  // 0: not known yet
    NumberedParts parts = {};
    std::string_view peer() const { return std::string_view(key).substr(0, peer_bytes); }
    std::size_t bytes() const { return parts.bytes() + key.size(); }
  };
  using Collections = std::list<Collection>;  // oldest first
  struct Known {
    std::size_t hash = 0;
    std::string key;
  };

  bool is_known(std::string_view key) const;
  void remember(std::string_view key);
  Collections::iterator begin(std::string_view key, std::size_t peer_bytes, os::TimePoint now);
  bool add(Collection& collection, const MiopPacket& packet);
  ByteView complete(Collections::iterator collection);
  void give_up(Collections::iterator collection);
  void forget(Collections::iterator collection);

  const CollectionLimits limits_;
  Collections collections_;
  // The keys are views of Collection::key.
  std::unordered_map<std::string_view, Collections::iterator> by_key_;
  std::size_t bytes_ = 0;
  std::uint64_t given_up_ = 0;
  std::string key_;  // key of the current packet
  std::vector<std::uint8_t> message_;
  std::array<Known, remembered> known_;
  std::size_t next_known_ = 0;
};

}  // namespace takt::transport::miop
