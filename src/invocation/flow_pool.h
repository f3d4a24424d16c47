// The flows of a thread's calls, for classes that watch calls.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace takt::invocation {

// Each thread keeps its flows for later calls, which end in the reverse order of their beginning. `Flow` has
// a member `taken_`, for this class alone.
template <class Flow>
class FlowPool {
 public:
  static FlowPool& mine() {
    thread_local FlowPool flows;
    return flows;
  }
  // Allocates if no flow is free.
  Flow& take() {
    if (used_ == flows_.size()) flows_.push_back(std::make_unique<Flow>());
    Flow& flow = *flows_[used_++];
    flow.taken_ = true;
    return flow;
  }
  void give_back(Flow& flow) {
    flow.taken_ = false;
    while (used_ > 0 && !flows_[used_ - 1]->taken_) --used_;
  }
  // The caller owns the flow from now on.
  void let_go(Flow& flow) {
    const auto found = std::ranges::find(flows_, &flow, [](const auto& one) { return one.get(); });
    (void)found->release();
    flows_.erase(found);
    --used_;
  }
  // An attempt that another call of the thread goes on with; null: there is none.
  static inline thread_local constinit Flow* handed_over = nullptr;

 private:
  std::vector<std::unique_ptr<Flow>> flows_;
  std::size_t used_ = 0;
};

}  // namespace takt::invocation
