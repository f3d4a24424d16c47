#include "reference/context/thread_context.h"

#include <utility>

#include "base/owned_by_thread.h"

namespace takt::reference {

void ThreadContext::use_overrides(std::shared_ptr<const Overrides> overrides) {
  // Clears overrides_ for code that runs later in the thread's exit.
  struct Kept {
    ~Kept() { mine().overrides_ = nullptr; }
    std::shared_ptr<const Overrides> overrides;
  };
  Kept& kept = owned_by_thread<Kept>();
  kept.overrides = std::move(overrides);
  overrides_ = kept.overrides ? &kept.overrides : nullptr;
  if (follower_) follower_->overrides_changed();
}

}  // namespace takt::reference
