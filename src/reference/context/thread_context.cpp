#include "reference/context/thread_context.h"

#include <utility>

namespace takt::reference {

void ThreadContext::use_overrides(std::shared_ptr<const Overrides> overrides) {
  // What runs at the end of the thread, behind this, has none.
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
