// Sleeping in a shared-memory stream, and detecting that the peer is gone.
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

// The deadline of one blocking call. Reads the clock only when the wait begins.
class WaitDeadline {
 public:
  // Zero means for ever.
  explicit WaitDeadline(std::chrono::nanoseconds timeout) : timeout_(timeout) {}
  os::TimePoint deadline() {
    if (timeout_.count() > 0 && deadline_ == os::no_deadline) deadline_ = os::Clock::now() + timeout_;
    return deadline_;
  }
  // Zero means for ever, negative that the time is over.
  std::chrono::nanoseconds left() {
    if (timeout_.count() <= 0) return {};
    const auto rest = deadline() - os::Clock::now();
    return rest.count() > 0 ? rest : std::chrono::nanoseconds(-1);
  }
  // Call after a wake-up without a result. An honest peer causes few of these. After some, further waits are
  // slowed down, so that a peer cannot keep this processor busy without being busy itself.
  void count_spurious_wakeup();

 private:
  const std::chrono::nanoseconds timeout_;
  os::TimePoint deadline_ = os::no_deadline;
  unsigned spurious_wakeups_ = 0;
};

// Sleeping state of both directions of a connection. One thread at a time uses each direction.
class ShmSleeper final : public os::HangUpWatch::Sleeper {
 public:
  struct Side {
    std::atomic<bool> over{false};  // this direction has ended
    std::atomic<bool> sleeps{false};
    std::atomic<std::uint32_t>* word = nullptr;  // the word that tells the peer how this side waits
  };
  enum class Slept : std::uint8_t { woken, timed_out, failed };
  // A peer could move a sleeper to another word, where no wake-up reaches it (FUTEX_REQUEUE). So a sleep
  // without a timeout looks around after this time.
  static constexpr std::chrono::nanoseconds longest_sleep = std::chrono::seconds(1);

  // The socket must outlive this object.
  explicit ShmSleeper(const os::Socket& socket) : socket_(socket) {}

  Side reading, writing;

  // Sleeps until the peer wakes this side, the direction ends, or `timeout` has passed (zero: no timeout);
  // spurious wake-ups are possible. `idle()` is called once the peer can see that we sleep; it returns
  // whether there is still nothing to do. `failed`: the system cannot watch the socket.
  template <class Idle>
  Slept sleep(Side& side, std::chrono::nanoseconds timeout, Idle idle) {
    if (!watch_.watching() && !watch_.watch(socket_.fd(), *this)) return Slept::failed;
    side.sleeps.store(true, std::memory_order_release);
    side.word->store(RingControl::on_futex, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    auto result = os::FutexWait::woken;
    const bool is_bounded = timeout.count() != 0;
    while (!side.over.load(std::memory_order_relaxed) && idle()) {
      result = os::wait_on_futex(*side.word, RingControl::on_futex, is_bounded ? timeout : longest_sleep);
      if (is_bounded || result != os::FutexWait::timed_out) break;
    }
    side.sleeps.store(false, std::memory_order_relaxed);
    side.word->store(RingControl::awake, std::memory_order_relaxed);
    return is_bounded && result == os::FutexWait::timed_out ? Slept::timed_out : Slept::woken;
  }

  // Ends a direction and wakes its sleeper. Any thread. True: a thread may still be asleep.
  static bool end(Side& side) noexcept;
  bool on_end(os::HangUpWatch::End ended) noexcept override;

 private:
  const os::Socket& socket_;
  os::HangUpWatch watch_;  // must be destroyed before the socket
};

}  // namespace takt::transport
