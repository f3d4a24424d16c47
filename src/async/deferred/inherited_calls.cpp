#include "async/deferred/inherited_calls.h"

namespace takt::async {

using reference::ThreadContext;

InheritedCalls InheritedCalls::of_caller() {
  InheritedCalls state;
  state.capture();
  return state;
}

void InheritedCalls::capture_more(const ThreadContext& caller) {
  if (caller.trace()) trace_ = caller.trace()->keep();
  has_more_ = true;  // the rest needs no memory
  if (caller.quality()) quality_ = *caller.quality();
  overrides_ = caller.overrides();
}

bool InheritedCalls::capture_request() {
  const reference::CarriedTrace* const trace = ThreadContext::mine().trace();
  if (!trace) return false;
  trace_of_request_ = trace->keep();
  return has_more_ = true;
}

InheritedCalls::Use::Use(const InheritedCalls& inherited) {
  ThreadContext& mine = ThreadContext::mine();
  mine.use_priority(inherited.priority_);
  mine.use_quality(inherited.quality_ ? &*inherited.quality_ : nullptr);
  if (inherited.overrides_) mine.use_overrides(inherited.overrides_);
  mine.use_trace(inherited.trace_of_request_ ? inherited.trace_of_request_.get() : inherited.trace());
}

// The threads that do this have nothing of their own to go back to.
InheritedCalls::Use::~Use() {
  ThreadContext& mine = ThreadContext::mine();
  mine.use_priority({});
  mine.use_quality(nullptr);
  if (mine.overrides()) mine.use_overrides(nullptr);
  mine.use_trace(nullptr);
}

}  // namespace takt::async
