// The tracing of one ORB: which traces are recorded, and what becomes of their spans.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "reference/context/thread_context.h"
#include "tracing/position.h"

namespace takt::tracing {

struct EndedSpan;
class SpanRing;

// The treatment of a call or request of a traced ORB.
enum class Decision : std::uint8_t {
  left_out,  // nothing: the trace was not chosen
  passed,    // it carries the thread's position, whose trace others have not chosen
  watched,   // it has a span, which is kept if it fails
  recorded,  // it has a span, which is kept
};

// Reasons to keep a span of a trace that was not chosen, as bits.
namespace failure {
inline constexpr unsigned exception = 1;  // a system exception, or the program says that the span has failed
inline constexpr unsigned deadline = 2;   // TIMEOUT, or a request whose deadline has passed at its end
}  // namespace failure

// Any thread.
class Tracer : public std::enable_shared_from_this<Tracer> {
 public:
  // Each trace that begins here is recorded with that probability: 0 to 1. Spans of other traces are kept if
  // they fail in one of the ways `keeps`. `ring` keeps the spans; may be null.
  Tracer(double ratio, std::unique_ptr<SpanRing> ring, unsigned keeps = 0);
  explicit Tracer(double ratio);  // keeps no spans
  ~Tracer();

  // Whether to record a trace that begins now.
  bool chooses() {
    Choices& choices = mine_;
    if (choices.of_tracer == serial_ && choices.skip != 0) [[likely]] {
      --choices.skip;
      return false;
    }
    return chooses_next(choices);
  }
  // For a call of the calling thread.
  Decision decide() {
    const reference::CarriedTrace* const trace = reference::ThreadContext::mine().trace();
    if (!trace) {
      if (chooses()) return Decision::recorded;
      return keeps_ != 0 ? Decision::watched : Decision::left_out;
    }
    if (trace == &untraced) return Decision::left_out;
    if (static_cast<const Position*>(trace)->ids.sampled) return Decision::recorded;
    return keeps_ != 0 ? Decision::watched : Decision::passed;
  }
  // Whether spans of traces that were not chosen may be kept.
  bool watches() const { return keeps_ != 0; }
  // Whether such a span is kept, with these failures.
  bool keeps(unsigned failures) const { return (keeps_ & failures) != 0; }

  void end(const EndedSpan& span) noexcept;
  void note_malformed() { malformed_.fetch_add(1, std::memory_order_relaxed); }
  Counts counts() const {
    return {spans_.load(std::memory_order_relaxed), malformed_.load(std::memory_order_relaxed)};
  }

 private:
  // A thread counts down to the next trace that it records.
  struct Choices {
    std::uint64_t of_tracer = 0, skip = 0;
  };
  bool chooses_next(Choices& choices);
  std::uint64_t traces_to_skip() const;

  const std::uint64_t serial_;  // unique in the process
  const double ratio_;
  const unsigned keeps_;
  const std::unique_ptr<SpanRing> ring_;
  std::atomic<std::uint64_t> spans_{0}, malformed_{0};
  static thread_local constinit Choices mine_;
};

inline thread_local constinit Tracer::Choices Tracer::mine_;

}  // namespace takt::tracing
