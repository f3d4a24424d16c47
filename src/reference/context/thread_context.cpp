#include "reference/context/thread_context.h"

#include <utility>

namespace takt::reference {

void ThreadContext::use_overrides(std::shared_ptr<const Overrides> overrides) {
  // Clears overrides_ for code that runs later in the thread's exit.
  struct Kept {
    ~Kept() { mine().overrides_ = nullptr; }
    std::shared_ptr<const Overrides> overrides;
  };
  thread_local Kept kept;
  kept.overrides = std::move(overrides);
  overrides_ = kept.overrides ? &kept.overrides : nullptr;
  if (follower_) follower_->overrides_changed();
}

}  // namespace takt::reference
