// Which thread of a pool uses a connection, and since when none has.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "threads/scheduling/scheduling.h"

namespace takt::server {

// The use of one connection by the threads of a pool, one after the other, and by sweeps in between. The poll
// gives the connection to one thread at a time; this class keeps sweeps and that thread apart. No locks.
class PooledUse {
 public:
  using Clock = std::chrono::steady_clock;
  // served: a thread uses the connection. The other states say how the last thread has left it.
  enum class State : std::uint8_t { idle, mid_message, writing, served };

  // Called by the thread that got the connection, which uses it until leave(). Waits while a sweep uses it.
  [[gnu::always_inline]] void take() {
    synchronize();
    state_.store(State::served, std::memory_order_relaxed);
    if ((rounds_.fetch_add(1, std::memory_order_acq_rel) & swept) != 0) [[unlikely]]
      while ((rounds_.load(std::memory_order_acquire) & swept) != 0) os::yield_processor();
  }
  // Leaves the connection to any thread, which may own it, and destroy it, as soon as the poll reports it.
  void leave(State state) { state_.store(state, std::memory_order_release); }
  // The same if the calling thread is the pool's only one.
  void leave_to_same_thread(State state) { state_.store(state, std::memory_order_relaxed); }
  // Makes the writes of the last thread visible, in addition to the kernel's hand-over.
  void synchronize() const { state_.load(std::memory_order_acquire); }
  State state() const { return state_.load(std::memory_order_relaxed); }

  // The following are for sweeps, one thread at a time.
  struct Seen {
    State state;
    Clock::time_point used_at;  // `now` if a thread uses the connection, or has since the last look
  };
  Seen look(Clock::time_point now) {
    const std::uint64_t rounds = rounds_.load(std::memory_order_relaxed);
    const State state = state_.load(std::memory_order_relaxed);
    if (rounds != seen_rounds_ || state == State::served) used_at_ = now;
    seen_rounds_ = rounds;
    return {state, used_at_};
  }
  // Runs `act` if the connection is idle, and no thread has used it since the last look. A thread that gets
  // the connection meanwhile waits. `act` must not throw.
  //
  // A thread says that it serves before it increments the counter, and waits afterwards if `swept` is set. So
  // a thread that came before the flag has changed the counter or is seen to serve; one that comes later
  // waits.
  template <class Act>
  void act_if_unused(const Act& act) {
    std::uint64_t rounds = rounds_.load(std::memory_order_relaxed);
    if (rounds != seen_rounds_ || state() != State::idle) return;
    if (!rounds_.compare_exchange_strong(rounds, rounds | swept, std::memory_order_acq_rel)) return;
    const EndOfSweep end{rounds_};
    if (state_.load(std::memory_order_acquire) == State::idle) act();
  }

 private:
  // A flag in `rounds_`: a sweep uses the connection.
  static constexpr std::uint64_t swept = std::uint64_t{1} << 63;
  struct EndOfSweep {
    std::atomic<std::uint64_t>& rounds;
    ~EndOfSweep() { rounds.fetch_and(~swept, std::memory_order_release); }
  };

  std::atomic<std::uint64_t> rounds_{0};  // how many times a thread has taken the connection
  std::atomic<State> state_{State::idle};
  std::uint64_t seen_rounds_ = 0;
  Clock::time_point used_at_ = Clock::now();
};

}  // namespace takt::server
