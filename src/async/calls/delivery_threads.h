// The threads that run the handlers of asynchronous calls.
#pragma once

#include <cstddef>
#include <list>
#include <optional>

#include "async/calls/call.h"
#include "threads/locks/priority_condition.h"
#include "threads/locks/priority_mutex.h"
#include "threads/thread.h"

namespace takt::async {

// One per process, never destroyed. Calls of one priority are delivered in the order of their ends, by one
// thread that runs at that priority; it exits when it has had nothing to do for a while. Any thread. In
// steady state nothing allocates.
class DeliveryThreads {
 public:
  // Further priorities share the thread of the next higher one, or of the highest.
  static constexpr std::size_t most_threads = 64;

  static DeliveryThreads& of_process();
  // Takes over a reference to the call.
  void add(Call& call) noexcept { add(call, call); }
  // The same for calls of one priority, which Call::next_ended links from the first to the last. Wakes their
  // thread once.
  void add(Call& first, Call& last) noexcept;

 private:
  // In a forked child: whether the parent's threads, which are not here, have begun something.
  bool is_used();
  using Priority = std::optional<giop::Priority>;
  // The calls of one priority, and their thread.
  struct Lane {
    Priority priority;
    Call* first = nullptr;
    Call* last = nullptr;
    bool idle = false;
    os::PriorityCondition changed = {};
  };
  using Lanes = std::list<Lane>;

  DeliveryThreads() = default;
  Lane* lane_for(const Call& call);
  Lane* nearest_lane(Priority priority);
  void serve(Lane& lane) noexcept;

  os::PriorityMutex mutex_;
  Lanes lanes_;
};

}  // namespace takt::async
