// The call state of one thread, for another thread that makes a call in its place.
#pragma once

#include <memory>
#include <optional>

#include <takt/reference/quality.h>

#include "reference/context/thread_context.h"

namespace takt::async {

// The caller's RT-CORBA priority, its quality with the deadline, its policies, and its position in a trace.
// Empty at first.
class InheritedCalls {
 public:
  // The state of the calling thread.
  static InheritedCalls of_caller();

  // Copies the state of the calling thread into an empty one, which stays empty if this throws
  // std::bad_alloc. False: there was none, and it is still empty.
  bool capture() {
    const reference::ThreadContext& caller = reference::ThreadContext::mine();
    const bool has_priority = caller.priority().has_value();
    if (caller.quality() || caller.has_overrides() || caller.trace()) [[unlikely]]
      capture_more(caller);
    if (has_priority) priority_ = caller.priority();
    return has_priority || has_more_;
  }
  void clear() {
    if (has_more_) [[unlikely]]
      *this = InheritedCalls();
    priority_.reset();
  }

  std::optional<giop::Priority> priority() const { return priority_; }
  // Null if there is none.
  const reference::CarriedTrace* trace() const { return trace_.get(); }
  // Makes the calling thread's present position in a trace that of the call itself: that of its servant, not
  // that of the code which gets its outcome. False: it has none.
  bool capture_request();

  // Applies the state to calls of the current thread, which had none, during its lifetime. `inherited` must
  // outlive it.
  class Use {
   public:
    explicit Use(const InheritedCalls& inherited);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
  };

 private:
  void capture_more(const reference::ThreadContext& caller);

  std::optional<giop::Priority> priority_;
  bool has_more_ = false;  // any of the following
  std::optional<Quality> quality_;
  std::shared_ptr<const reference::Overrides> overrides_;
  std::shared_ptr<const reference::CarriedTrace> trace_;
  std::shared_ptr<const reference::CarriedTrace> trace_of_request_;  // null: as trace_
};

}  // namespace takt::async
