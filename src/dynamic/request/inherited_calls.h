// What the calls of a thread carry, for another thread that makes one in its place.
#pragma once

#include <memory>
#include <optional>

#include <takt/reference/quality.h>

#include "reference/context/thread_context.h"

namespace takt::dynamic {

// Made in the caller's thread: its RT-CORBA priority, its quality with the deadline, its policies.
class InheritedCalls {
 public:
  InheritedCalls();

  // While it lives, the calls of the thread, which carried nothing, carry that. `inherited` outlives it.
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
};

}  // namespace takt::dynamic
