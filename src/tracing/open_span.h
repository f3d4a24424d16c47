// A span of a trace that is recorded, from its begin to its end.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tracing/position.h"
#include "tracing/tracer.h"

namespace takt::tracing {

// The numbers are those of OpenTelemetry's protocol.
enum class SpanKind : std::uint8_t { internal = 1, server = 2, client = 3 };

// A text of limited length; longer ones are cut at a character's end.
template <std::size_t Most>
class ShortText {
 public:
  void set(std::string_view text) {
    std::size_t size = text.size();
    if (size > Most)
      for (size = Most; size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80;) --size;
    text.copy(octets_, size);
    size_ = static_cast<std::uint8_t>(size);
  }
  std::string_view get() const { return {octets_, size_}; }

 private:
  static_assert(Most < 256);
  std::uint8_t size_ = 0;
  char octets_[Most];
};

struct EndedSpan {
  Ids ids;
  SpanId parent;  // all zeros: the span begins its trace
  SpanKind kind;
  bool failed;
  std::chrono::nanoseconds start, duration;  // start: since 1970, UTC
  std::string_view name, failure, peer;
};

// One thread at a time. Does not allocate, unless there is a long tracestate.
class OpenSpan {
 public:
  OpenSpan() = default;
  OpenSpan(const OpenSpan&) = delete;
  OpenSpan& operator=(const OpenSpan&) = delete;

  // Begins a child, or a trace if `parent` is null. `chosen`: the span is kept; if it is not, it is kept only
  // if it fails as the tracer wants. `tracer` must outlive the span.
  void begin(Tracer& tracer, SpanKind kind, std::string_view name, const Position* parent,
             bool chosen = true);
  // `failures`: of namespace failure; 0 for user exceptions.
  void fail(std::string_view why, unsigned failures = failure::exception) {
    failed_ = true;
    failures_ |= failures;
    failure_.set(why);
  }
  // The other end of the connection.
  void set_peer(std::string_view peer) { peer_.set(peer); }
  // Once.
  void end() noexcept;
  const Position& position() const { return position_; }

 private:
  using Clock = std::chrono::steady_clock;

  Position position_;
  SpanId parent_{};
  SpanKind kind_ = SpanKind::internal;
  bool failed_ = false;
  unsigned failures_ = 0;
  std::chrono::nanoseconds start_{};
  Clock::time_point started_;
  ShortText<64> name_;
  ShortText<64> failure_;
  ShortText<48> peer_;
};

}  // namespace takt::tracing
