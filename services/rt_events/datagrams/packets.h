// The packets by which TAO's UDP and multicast gateways of real-time event channels exchange events. No I/O.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/cdr/byte_order.h>

#include "RtecEventCommC.h"

namespace takt::rt_events {

// Precedes each fragment of a request, whose payload is an EventSet. In a packet: the byte order as an octet,
// 0 or 1, the octets "ABC", the six numbers, and four octets that TAO may use for a CRC: they are sent as 0,
// and not looked at. No octet has flags, and nothing marks the last fragment but its number.
struct PacketHeader {
  static constexpr std::size_t bytes = 32;

  cdr::ByteOrder order = cdr::native_order;
  std::uint32_t request_id = 0, request_bytes = 0;
  std::uint32_t fragment_bytes = 0, fragment_offset = 0;  // without headers
  std::uint32_t fragment_id = 0, fragment_count = 1;      // ids begin with 0

  bool operator==(const PacketHeader&) const = default;
};

// Empty if the packet is too short, or its header contradicts itself or the packet's length.
std::optional<PacketHeader> header_of(ByteView packet);

// Splits requests into packets. One thread at a time; uses its memory again.
class PacketWriter {
 public:
  // With shorter packets, an assembler could not hold the fragments of the longest request.
  static constexpr std::size_t least_packet = 88, most_packet = 65'507;
  struct Written {
    std::size_t packets = 0;  // that were given to `send`
    bool whole = true;        // false: the request is too large, or `send` lost a packet
  };
  // `packet_bytes`: the most octets of a packet, with its header.
  explicit PacketWriter(std::size_t packet_bytes = 1'024);

  // Calls `send` for each packet of a request with one event, until it returns false; its argument is valid
  // during the call.
  Written write(const RtecEventComm::EventHeader& header, const RtecEventData& data,
                const std::function<bool(ByteView packet)>& send);

 private:
  const std::size_t packet_bytes_;
  std::uint32_t next_id_ = 0;
  std::vector<std::uint8_t> packet_;
};

// An event of 1 MiB fits.
inline constexpr std::size_t most_request_bytes = (std::size_t{1} << 20) + 4'096;
inline constexpr std::uint32_t most_fragments = 65'536;

struct AssemblyLimits {
  std::size_t requests = 256;                                   // incomplete ones
  std::size_t requests_of_sender = 16;                          // incomplete ones of one sender
  std::size_t requests_of_host = 64;                            // incomplete ones of one host
  std::size_t bytes = std::size_t{4} << 20;                     // memory of incomplete requests, about
  std::size_t request_bytes = most_request_bytes;               // larger requests are refused
  std::uint32_t fragments = most_fragments;                     // for each request
  std::chrono::nanoseconds patience = std::chrono::seconds(2);  // until a request is complete
};

// The host and port that a packet came from. Several senders of one host differ in the port.
struct PacketSender {
  std::string host;
  std::uint16_t port = 0;
  auto operator<=>(const PacketSender&) const = default;
};

// Puts requests together from packets of any senders, in any order. Memory grows with what has come, not with
// what a header says: beyond the limits the oldest incomplete request goes, of
// the same sender or host if that has begun too many. One thread at a time.
class PacketAssembler {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  struct Request {
    cdr::ByteOrder order = cdr::native_order;
    std::vector<std::uint8_t> octets;
  };
  struct Counts {
    std::uint64_t packets = 0;
    std::uint64_t refused = 0;   // packets with a fault, or that contradict those before
    std::uint64_t repeated = 0;  // packets whose fragment is there
    std::uint64_t given_up = 0;  // requests that stayed incomplete
  };

  explicit PacketAssembler(const AssemblyLimits& limits = {}) : limits_(limits) {}

  // The request, if the packet completes one.
  std::optional<Request> add(const PacketSender& sender, ByteView packet, TimePoint now);
  std::size_t incomplete() const { return order_.size(); }
  std::size_t held_bytes() const { return held_; }
  const Counts& counts() const { return counts_; }

 private:
  using Key = std::pair<PacketSender, std::uint32_t>;
  struct Partial {
    Key key;
    PacketHeader first;
    TimePoint began;
    std::uint64_t number = 0;  // in the order of their begin
    std::map<std::uint32_t, std::pair<std::uint32_t, std::vector<std::uint8_t>>> fragments;  // offset, octets
    std::size_t bytes = 0, held = 0;
  };
  using Partials = std::list<Partial>;  // the oldest first

  std::optional<Request> taken(Partials::iterator partial);
  void remove(Partials::iterator partial);
  void give_up(Partials::iterator partial);
  void expire(TimePoint now);
  void make_room();
  void make_room_of(const PacketSender& first, const PacketSender& last, std::size_t most);

  const AssemblyLimits limits_;
  Partials order_;
  std::map<Key, Partials::iterator> known_;
  std::size_t held_ = 0;
  std::uint64_t begun_ = 0;
  Counts counts_;
};

// The events of a complete request; empty if its octets are no EventSet. Decoding takes processor time and
// memory in proportion to the octets.
std::optional<RtecEventComm::EventSet> events_in(const PacketAssembler::Request& request);

}  // namespace takt::rt_events
