// The flows of a thread's calls, for classes that watch calls.
#pragma once

#include <utility>

namespace takt::invocation {

// Each thread keeps its flows for later calls. `Flow` has a member `Flow* next_free_`, for this class alone.
template <class Flow>
class FlowPool {
 public:
  // The caller owns the flow until it gives it back. Allocates if no flow is free.
  static Flow& take() {
    Flow* const flow = free_;
    if (!flow) [[unlikely]]
      return make();
    free_ = flow->next_free_;
    return *flow;
  }
  // Call in the thread that took the flow.
  static void give_back(Flow& flow) noexcept { flow.next_free_ = std::exchange(free_, &flow); }
  // An attempt that another call of the thread goes on with; null: there is none.
  static inline thread_local constinit Flow* handed_over = nullptr;

 private:
  struct Emptying {
    ~Emptying() {
      while (Flow* const flow = free_) {
        free_ = flow->next_free_;
        delete flow;
      }
    }
  };
  [[gnu::cold, gnu::noinline]] static Flow& make() {
    thread_local Emptying at_the_end_of_the_thread;
    (void)&at_the_end_of_the_thread;
    return *new Flow;
  }

  static inline thread_local constinit Flow* free_ = nullptr;
};

}  // namespace takt::invocation
