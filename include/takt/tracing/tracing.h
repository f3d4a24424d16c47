// Traces over processes: the spans that calls belong to, and spans of a program's own.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <takt/reference/object.h>

namespace CORBA {
class ORB;
}

namespace takt::tracing {

class OpenSpan;
struct Position;

using TraceId = std::array<std::uint8_t, 16>;
using SpanId = std::array<std::uint8_t, 8>;

// A position in a trace: a span, whose children begin there (W3C Trace Context, level 1). Immutable; copies
// share it. Any thread.
class Context {
 public:
  // Reads what another protocol has brought, as the HTTP headers traceparent and tracestate. nullopt if
  // `traceparent` is malformed. A malformed or long `tracestate` is left out. Allocates.
  static std::optional<Context> parse(std::string_view traceparent, std::string_view tracestate = {});

  const TraceId& trace_id() const;
  const SpanId& span_id() const;
  // Whether the trace is recorded.
  bool sampled() const;
  // For other protocols. Allocates.
  std::string traceparent() const;
  // As others have sent it; empty if there is none. Valid as long as the Context.
  std::string_view tracestate() const;

  // For the ORB.
  explicit Context(std::shared_ptr<const Position> position) : position_(std::move(position)) {}
  const std::shared_ptr<const Position>& position() const { return position_; }

 private:
  std::shared_ptr<const Position> position_;
};

// The calling thread's position; nullopt if it has none. Allocates. A servant's is the span of its request,
// also in the code that gets the outcome of its asynchronous calls.
std::optional<Context> current();

// Makes `context` the thread's position during its lifetime, so that calls and spans continue it. Use it for
// work that a program hands to another thread. Neither blocks nor allocates. One thread; scopes of a thread
// nest.
class SpanScope {
 public:
  explicit SpanScope(const Context& context);
  ~SpanScope();
  SpanScope(const SpanScope&) = delete;
  SpanScope& operator=(const SpanScope&) = delete;

 private:
  const std::shared_ptr<const Position> position_;
  const void* const before_;
};

// A span of the program, from its construction to its end, and the thread's position meanwhile. One thread;
// spans and scopes of a thread nest. It must end before its ORB is destroyed. Allocates if it is recorded.
class Span {
 public:
  // A child of the thread's position. Not recorded if there is none, if its trace is not, or if the position
  // came from Context::parse(). `name` has up to 64 octets; longer names are cut.
  explicit Span(std::string_view name);
  // The same, recorded by the ORB. Without a position it may begin a trace, by -ORBTracing's ratio. If the
  // ORB does not trace, the span is not recorded.
  Span(const CORBA::object_reference<CORBA::ORB>& orb, std::string_view name);
  ~Span();
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;

  bool recorded() const { return span_ != nullptr; }
  // The span failed. `reason` is for people; up to 64 octets.
  void fail(std::string_view reason);

 private:
  std::unique_ptr<OpenSpan> span_;  // null: not recorded
  const void* const before_;        // the position to return to
};

// Counts of an ORB since its start.
struct Counts {
  std::uint64_t spans = 0;      // that have ended
  std::uint64_t malformed = 0;  // requests whose trace context was unreadable and ignored
};

// All zero if the ORB does not trace. Any thread.
Counts counts(const CORBA::object_reference<CORBA::ORB>& orb);

}  // namespace takt::tracing
