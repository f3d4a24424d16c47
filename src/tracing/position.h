// The calling thread's position in a trace.
#pragma once

#include <memory>
#include <string>

#include "reference/context/thread_context.h"
#include "tracing/trace_context.h"

namespace takt::tracing {

class Tracer;

// A span to which calls belong, and of which children begin.
struct Position final : reference::CarriedTrace {
  Ids ids;
  std::string state;              // tracestate
  Tracer* tracer = nullptr;       // records children; null if the position is from the program
  std::shared_ptr<Tracer> owner;  // keeps `tracer`, in positions that outlive their span

  std::shared_ptr<const reference::CarriedTrace> keep() const override { return kept(); }
  std::shared_ptr<const Position> kept() const;
};

// In a trace that was not chosen where it began, so that nothing is known of it. Calls carry nothing, and
// nothing begins another trace.
class Untraced final : public reference::CarriedTrace {
 public:
  constexpr Untraced() = default;
  std::shared_ptr<const reference::CarriedTrace> keep() const override;
};
extern constinit const Untraced untraced;

// Null if the thread has no position, or one in a trace that was not chosen.
inline const Position* position_of(const reference::CarriedTrace* trace) {
  return trace == &untraced ? nullptr : static_cast<const Position*>(trace);
}

// The trace id of the calling thread's position, for the log; empty if there is none.
ByteView trace_of_thread() noexcept;

}  // namespace takt::tracing
