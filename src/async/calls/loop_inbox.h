// Hands outcomes of calls, and tasks that have ended, to the thread of a run loop.
#pragma once

#include <atomic>
#include <cstddef>

#include <takt/async/run_loop.h>

#include "async/calls/call.h"
#include "threads/locks/priority_condition.h"
#include "threads/locks/priority_mutex.h"

namespace takt::async {

// Any thread. Lives as long as its loop, and as the calls that belong to it or have belonged to it.
class LoopInbox {
 public:
  // The things that wait() has found. `calls` is a list, by Call::next_ended.
  struct Contents {
    Call* calls = nullptr;
    LoopTask::promise_type* tasks = nullptr;  // a list, by next_ended
  };

  LoopInbox() = default;
  LoopInbox(const LoopInbox&) = delete;
  LoopInbox& operator=(const LoopInbox&) = delete;
  void keep() { references_.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  // The call belongs to the loop from now on. For the loop's thread.
  void join(Call& call);
  // The call belongs to no loop from now on.
  void leave(Call& call);
  // Gives the loop a call that has its outcome. False: the call has left the loop, which may be over.
  bool add(Call& call) noexcept;
  // For the loop's thread: the call is no longer under way in the loop. It is to be delivered by the loop of
  // `to`, which is an inner one of the thread; null: as without a loop. True: it is here, and the caller's.
  bool dismiss(Call& call, LoopInbox* to);
  // For other threads: the same, to be delivered as without a loop. False also if it is not in this loop, or
  // the loop's thread delivers it.
  bool dismiss_elsewhere(Call& call);
  void add(LoopTask::promise_type& ended) noexcept;
  // Waits until there is something, or calls have left. May return nothing.
  Contents wait();
  // The same without waiting. Ends all later additions of calls.
  Contents close();

  // Calls that have no outcome delivered. Other threads than the loop's make it smaller only.
  std::size_t under_way() const { return under_way_.load(std::memory_order_relaxed); }

 private:
  Contents take();
  bool take_out(Call& call);
  void move(Call& call, LoopInbox& to);

  std::atomic<unsigned> references_{1};
  std::atomic<std::size_t> under_way_{0};
  os::PriorityMutex mutex_;
  os::PriorityCondition changed_;
  Contents contents_;
  Call* last_ = nullptr;  // the end of contents_.calls
  bool closed_ = false;
  bool waits_ = false;
  bool calls_have_left_ = false;
};

}  // namespace takt::async
