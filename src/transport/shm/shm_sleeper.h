// How a stream over shared memory sleeps, and learns that there is nothing to wait for.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include <takt/os/clock.h>

#include "os/net/socket.h"
#include "os/shared_memory/futex.h"
#include "os/shared_memory/hang_up_watch.h"
#include "transport/shm/ring.h"

namespace takt::transport {

// Until when one call may wait; the clock is read when it begins to.
class Patience {
 public:
  // Zero: for ever.
  explicit Patience(std::chrono::nanoseconds timeout) : timeout_(timeout) {}
  os::TimePoint deadline() {
    if (timeout_.count() > 0 && deadline_ == os::no_deadline) deadline_ = os::Clock::now() + timeout_;
    return deadline_;
  }
  // Zero: for ever. Negative: it is over.
  std::chrono::nanoseconds left() {
    if (timeout_.count() <= 0) return {};
    const auto rest = deadline() - os::Clock::now();
    return rest.count() > 0 ? rest : std::chrono::nanoseconds(-1);
  }
  // For a wait that ended for nothing. After a few of them, which no honest peer causes, the next ones are
  // taken slowly, so that a peer cannot keep this processor busy without being so itself.
  void count_disappointment();

 private:
  const std::chrono::nanoseconds timeout_;
  os::TimePoint deadline_ = os::no_deadline;
  unsigned disappointments_ = 0;
};

// Both directions of one connection, of which each is one thread's at a time.
class ShmSleeper final : public os::HangUpWatch::Sleeper {
 public:
  struct Side {
    std::atomic<bool> over{false};  // nothing more will come, or be taken
    std::atomic<bool> sleeps{false};
    std::atomic<std::uint32_t>* word = nullptr;  // where the peer looks whether this side waits
  };
  enum class Slept : std::uint8_t { woken, timed_out, failed };

  // The socket outlives it.
  explicit ShmSleeper(const os::Socket& socket) : socket_(socket) {}

  Side reading, writing;

  // Until the peer wakes this side, its direction is over, for no reason, or `timeout` (zero: none). `idle()`
  // is asked once the peer knows that we sleep: whether there is still nothing to do. Failed: the system has
  // nobody to watch the socket.
  template <class Idle>
  Slept sleep(Side& side, std::chrono::nanoseconds timeout, Idle idle) {
    if (!watch_.watching() && !watch_.watch(socket_.fd(), *this)) return Slept::failed;
    side.sleeps.store(true, std::memory_order_release);
    side.word->store(RingControl::on_futex, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    auto result = os::FutexWait::woken;
    if (!side.over.load(std::memory_order_relaxed) && idle())
      result = os::wait_on_futex(*side.word, RingControl::on_futex, timeout);
    side.sleeps.store(false, std::memory_order_relaxed);
    side.word->store(RingControl::awake, std::memory_order_relaxed);
    return result == os::FutexWait::timed_out ? Slept::timed_out : Slept::woken;
  }

  // From any thread: this direction is over, and whoever sleeps learns so. True: somebody may still sleep.
  static bool end(Side& side) noexcept;
  bool on_end(os::HangUpWatch::End ended) noexcept override;

 private:
  const os::Socket& socket_;
  os::HangUpWatch watch_;  // goes before the socket
};

}  // namespace takt::transport
