#include "async/inherited_calls.h"

namespace takt::async {

using reference::ThreadContext;

InheritedCalls InheritedCalls::of_caller() {
  InheritedCalls state;
  state.capture();
  return state;
}

void InheritedCalls::capture_more(const ThreadContext& caller) {
  has_more_ = true;
  if (caller.quality()) quality_ = *caller.quality();
  overrides_ = caller.overrides();
  if (caller.trace()) trace_ = caller.trace()->keep();
}

InheritedCalls::Use::Use(const InheritedCalls& inherited) {
  ThreadContext& mine = ThreadContext::mine();
  mine.use_priority(inherited.priority_);
  mine.use_quality(inherited.quality_ ? &*inherited.quality_ : nullptr);
  if (inherited.overrides_) mine.use_overrides(inherited.overrides_);
  mine.use_trace(inherited.trace());
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
