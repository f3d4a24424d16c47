#include "transport/shm/shm_sleeper.h"

#include <thread>

namespace takt::transport {

void WaitDeadline::count_spurious_wakeup() {
  constexpr unsigned usual = 64;
  if (++spurious_wakeups_ > usual) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

bool ShmSleeper::end(Side& side) noexcept {
  side.over.store(true, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (!side.sleeps.load(std::memory_order_acquire)) return false;
  side.word->store(RingControl::awake, std::memory_order_relaxed);
  os::wake_futex(*side.word);
  return true;
}

bool ShmSleeper::on_end(os::HangUpWatch::End ended) noexcept {
  bool sleeps = end(reading);
  if (ended == os::HangUpWatch::End::both) sleeps |= end(writing);
  return sleeps;
}

}  // namespace takt::transport
