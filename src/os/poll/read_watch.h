// How long a thread may be blocked in a read, without the system's timer.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace takt::os {

// SO_RCVTIMEO makes the system start and stop a timer for every read that blocks, which is a fiftieth of a
// round trip over loopback. So a watched read is only marked, and one thread of the process, shared by all
// sockets that have a long timeout, looks now and then for marks that have been standing for too long; it
// ends such a read by shutting down the socket's receiving side. A timeout is never early, and late by an
// eighth of the shortest timeout in use at most, provided that the thread gets a processor: it inherits its
// scheduling from the thread that first watches, unless run_at_least() asks for more. There is no such thread
// while nobody watches.
//
// begin() and end() are the reading thread's alone, and lock and allocate nothing. set_timeout() comes from
// any thread that may use the socket; it takes a lock where it begins, ends or shortens the watching, and so
// does the destructor.
class ReadWatch {
 public:
  // Below this the system's own timer, which is exact, is worth its price.
  static constexpr std::chrono::nanoseconds shortest = std::chrono::seconds(1);

  ReadWatch() = default;
  ~ReadWatch();
  ReadWatch(const ReadWatch&) = delete;
  ReadWatch& operator=(const ReadWatch&) = delete;

  // From the read in progress on; zero: no limit. False: the system gives no thread, or has no membarrier.
  bool set_timeout(int fd, std::chrono::nanoseconds timeout);

  // The thread that watches has that priority of SCHED_FIFO or a higher one from now on, as long as the
  // process lives; one less where the system allows no more. 0, or an errno value where the thread is there
  // and gets neither. Any thread; takes a lock.
  static int run_at_least(int priority);

  void begin() { reads_.store(++count_, std::memory_order_release); }
  // False: the time was over, now or earlier, and the socket gives no octets any more. No processor orders
  // the store before the load by itself; the watchman makes it do so when it matters (membarrier), which
  // spares every read an instruction that waits for all the system call has written.
  bool end() {
    reads_.store(++count_, std::memory_order_release);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    return !over_.load(std::memory_order_relaxed);
  }

 private:
  friend class Watchman;

  std::atomic<std::uint64_t> reads_{0};  // odd: one is in progress
  std::uint64_t count_ = 0;              // the reader's own
  std::atomic<bool> over_{false};
  std::atomic<std::chrono::nanoseconds> timeout_{std::chrono::nanoseconds(0)};
  // Under the watchman's mutex:
  int fd_ = -1;
  std::uint64_t seen_ = 0;                       // which read was in progress last time,
  std::chrono::steady_clock::time_point since_;  // and since when, as far as was seen
};

}  // namespace takt::os
