// The position in a trace as messages carry it: W3C Trace Context (level 1) in a service context.
//
//   struct Trace {         // an encapsulation: octet 0 is its byte order
//     string traceparent;  // "00-" trace id "-" span id "-" flags, in hexadecimal digits
//     string tracestate;   // empty: none
//   };
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/tracing/tracing.h>

namespace takt::tracing {

// "TAK" and a number in the last octet; not assigned by the OMG.
inline constexpr std::uint32_t trace_context = 0x54414b0b;

inline constexpr std::size_t traceparent_bytes = 55;
// Longer ones are left out (W3C Trace Context, 3.3.1.5, asks for at least this).
inline constexpr std::size_t most_tracestate_bytes = 512;
inline constexpr std::size_t most_tracestate_members = 32;

struct Ids {
  TraceId trace{};
  SpanId span{};
  bool sampled = false;
  friend bool operator==(const Ids&, const Ids&) = default;
};

// Whether a trace's or span's id is all zeros, which none is.
template <std::size_t Octets>
bool is_zero(const std::array<std::uint8_t, Octets>& id) {
  return id == std::array<std::uint8_t, Octets>{};
}

// nullopt if it is malformed (3.2). Later versions are read as far as this one knows them.
std::optional<Ids> read_traceparent(std::string_view text);
void write_traceparent(const Ids& ids, char (&text)[traceparent_bytes]);
// Whether it is well-formed and short enough to be sent on (3.3).
bool is_tracestate(std::string_view text);

struct ReceivedTrace {
  Ids ids;
  std::string_view state;  // in the message; empty if there is none or it is malformed
};

// The data of a service context. nullopt if it is malformed. `data` must outlive the result.
std::optional<ReceivedTrace> read_trace(ByteView data);
// Replaces `data`, whose memory is reused.
void write_trace(const Ids& ids, std::string_view state, std::vector<std::uint8_t>& data);

}  // namespace takt::tracing
