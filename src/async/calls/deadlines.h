// Ends calls whose time is over, and those that are cancelled.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "async/calls/call.h"
#include "threads/locks/priority_condition.h"
#include "threads/locks/priority_mutex.h"
#include "threads/watching_thread.h"

namespace takt::async {

// One per process, with a thread that starts with the first deadline (WatchingThread). Never destroyed. Any
// thread; in steady state nothing allocates.
class Deadlines {
 public:
  static Deadlines& of_process();

  // Gives a call that was sent its deadline, and lets it be cancelled, if that attempt has not ended:
  // `attempt` is Call::attempt as it was before. The caller must hold a reference. Not needed for a call
  // that has neither a deadline nor a token, and so is not cancelled before it was sent; it is `posted` from
  // the start. A call for whose deadline there is no memory ends with NO_MEMORY.
  void add(Call& call, std::uint32_t attempt) noexcept;
  // Ends the calls of the connection that are late, looking every eighth of `timeout`, as long as the
  // connection exists. For calls whose time is `shortest` at least, and that of the connection; they have
  // Waiter::late_at and need no add(). May throw std::bad_alloc.
  void watch(std::weak_ptr<client::ActiveConnection> connection, std::chrono::nanoseconds timeout);
  static constexpr std::chrono::nanoseconds shortest = std::chrono::seconds(1);
  // The attempt has ended. Afterwards its deadline does nothing.
  void remove(Call& call);
  // Ends the call if it waits for a reply; if not, it will not be sent again. The caller must hold no lock,
  // and keep the call meanwhile.
  void cancel(Call& call) noexcept;

 private:
  // In a forked child: whether the parent's threads, which are not here, have begun something.
  bool is_used();
  Deadlines() = default;
  void run() noexcept;
  using Status = client::Exchange::Status;
  bool add_deadline(Call& call) noexcept;
  void end(Call& call, Status how);
  void give_up(Call& call);
  void end_late(Call::Clock::time_point now);
  bool start();
  void look_at_connections(Call::Clock::time_point now) noexcept;
  void put(std::size_t place, Call* call);
  void rise(std::size_t place);
  void sink(std::size_t place);
  void take_out(Call& call);

  os::PriorityMutex mutex_;
  os::PriorityCondition changed_;
  std::vector<Call*> heap_;  // the earliest first
  // When the thread wakes at the latest. The call of that time may be over by then: while calls follow one
  // another, the thread sleeps.
  Call::Clock::time_point wakes_at_ = Call::Clock::time_point::max();
  os::WatchingThread thread_;
  struct Watched {
    std::weak_ptr<client::ActiveConnection> connection;
    std::chrono::nanoseconds interval;
    Call::Clock::time_point next;
  };
  std::vector<Watched> connections_;
};

}  // namespace takt::async
