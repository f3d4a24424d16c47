// The entries of a flow specification (OMG Audio/Video Streams 1.0).
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace takt::streams {

// As seen from end point A: `in` flows carry frames from A to B, `out` flows from B to A. This is the meaning
// that TAO gives the words.
enum class Direction : std::uint8_t { in, out };

// "UDP=192.0.2.7:40000", "TCP=[2001:db8::1]:40000", or a carrier alone.
struct Carrier {
  std::string name = {};  // in upper case
  std::string host = {};  // IPv6 without brackets; empty: no address
  std::uint16_t port = 0;

  bool has_address() const { return !host.empty(); }
};

// Whether the address is that of a group, with a port: 224.0.0.0 to 239.255.255.255, or ff00::/8.
bool is_group(const Carrier& carrier);

inline constexpr std::string_view own_protocol = "takt:1.0";
inline constexpr std::string_view simple_protocol = "SFP:1.0";

// "takt:1.0:source=7:clock=90000": packets as in docs/protocol/frames.md, with the stream's number.
// "SFP:1.0:Credit=32": the simple flow protocol, with the frames that may be under way.
struct FlowProtocol {
  std::string name = {};  // SFP in upper case; empty: the sender leaves it to the receiver
  std::uint32_t source = 0;
  std::uint32_t clock_rate = 0;  // 0: not given
  std::uint32_t credit = 0;      // 0: any number

  bool is_simple() const { return name == simple_protocol; }
};

// One flow, in the form that connect() proposes ("forward") or the one that the peer answers ("reverse"):
//   flowname\direction\format\protocol\carrier=host:port\peer address
//   flowname\carrier=host:port\protocol\direction\format
struct FlowEntry {
  std::string name = {};
  std::optional<Direction> direction = {};  // empty: left out
  std::string format = {};
  FlowProtocol protocol = {};
  Carrier carrier = {};
};

// Allocates. The error is a text of what is wrong. Fields may be left out from the end. An entry longer than
// `most_bytes`, one without a name, and control characters are errors.
std::expected<FlowEntry, std::string> parse_forward(std::string_view entry, std::size_t most_bytes);
std::expected<FlowEntry, std::string> parse_reverse(std::string_view entry, std::size_t most_bytes);
std::string forward_text(const FlowEntry& entry);
std::string reverse_text(const FlowEntry& entry);

// The name of the flow, in entries of both forms and in names alone.
inline std::string_view name_in(std::string_view entry) { return entry.substr(0, entry.find('\\')); }

std::expected<Carrier, std::string> parse_carrier(std::string_view text);
std::string text_of(const Carrier& carrier);
std::expected<FlowProtocol, std::string> parse_protocol(std::string_view text);
std::string text_of(const FlowProtocol& protocol);

}  // namespace takt::streams
