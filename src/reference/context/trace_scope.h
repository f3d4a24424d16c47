// Another position in a trace for a while.
#pragma once

#include "reference/context/thread_context.h"

namespace takt::reference {

// The calling thread has this position during the lifetime, and then the one before. Scopes nest. `trace`,
// null for none, must outlive it.
class TraceScope {
 public:
  explicit TraceScope(const CarriedTrace* trace) : before_(ThreadContext::mine().trace()) {
    ThreadContext::mine().use_trace(trace);
  }
  ~TraceScope() { ThreadContext::mine().use_trace(before_); }
  TraceScope(const TraceScope&) = delete;
  TraceScope& operator=(const TraceScope&) = delete;

 private:
  const CarriedTrace* const before_;
};

}  // namespace takt::reference
