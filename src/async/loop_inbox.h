// Hands outcomes of calls, and tasks that have ended, to the thread of a run loop.
#pragma once

#include <atomic>
#include <cstddef>

#include <takt/async/run_loop.h>

#include "async/call.h"
#include "os/threads/priority_condition.h"
#include "os/threads/priority_mutex.h"

namespace takt::async {

// Any thread. Lives as long as its loop, and as the calls that belong to it.
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
  // For the loop's thread: the call is no longer under way in the loop, and is to be delivered as without it.
  // True: it is here, and the caller's.
  bool dismiss(Call& call);
  void add(LoopTask::promise_type& ended) noexcept;
  // Waits until there is something.
  Contents wait();
  // The same without waiting. Ends all later additions of calls.
  Contents close();

  // Calls that have no outcome delivered. Only the loop's thread changes it.
  std::size_t under_way() const { return under_way_.load(std::memory_order_relaxed); }

 private:
  Contents take();
  void forget(Call& call);

  std::atomic<unsigned> references_{1};
  std::atomic<std::size_t> under_way_{0};
  os::PriorityMutex mutex_;
  os::PriorityCondition changed_;
  Contents contents_;
  Call* last_ = nullptr;  // the end of contents_.calls
  bool closed_ = false;
  bool waits_ = false;
};

}  // namespace takt::async
