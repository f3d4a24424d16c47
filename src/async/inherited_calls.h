// The call state of one thread, for another thread that makes a call in its place.
#pragma once

#include <memory>
#include <optional>

#include <takt/reference/quality.h>

#include "reference/context/thread_context.h"

namespace takt::async {

// Made in the caller's thread. Copies its RT-CORBA priority, its quality with the deadline, its policies, and
// its position in a trace.
class InheritedCalls {
 public:
  InheritedCalls();

  std::optional<giop::Priority> priority() const { return priority_; }
  // Null if there is none.
  const reference::CarriedTrace* trace() const { return trace_.get(); }

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
  std::optional<giop::Priority> priority_;
  std::optional<Quality> quality_;
  std::shared_ptr<const reference::Overrides> overrides_;
  std::shared_ptr<const reference::CarriedTrace> trace_;
};

}  // namespace takt::async
