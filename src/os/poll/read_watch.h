// Timeouts for blocking reads without a kernel timer per read.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace takt::os {

// With SO_RCVTIMEO the kernel starts and stops a timer for every blocking read, which takes 2 % of a round
// trip over loopback. A watched read is only marked. One thread of the process, shared by all sockets with
// long timeouts, periodically looks for reads that have lasted too long. It ends such a read by shutting down
// the socket's receiving side. A timeout is never early, and late by at most an eighth of the shortest
// timeout in use, if the thread gets a processor (WatchingThread). It exists only while a socket is watched.
// Only the reading thread calls begin() and end(), which neither lock nor allocate. Any thread that may use
// the socket calls set_timeout(). It locks when it starts, ends or shortens the watching. So does the
// destructor.
class ReadWatch {
 public:
  // Shorter timeouts use the kernel's timer, which is exact.
  static constexpr std::chrono::nanoseconds shortest = std::chrono::seconds(1);

  ReadWatch() = default;
  ~ReadWatch();
  ReadWatch(const ReadWatch&) = delete;
  ReadWatch& operator=(const ReadWatch&) = delete;

  // Applies to the read in progress and later ones; zero: no limit. Returns false if no thread can be created
  // or membarrier is missing.
  bool set_timeout(int fd, std::chrono::nanoseconds timeout);

  void begin() { reads_.store(++count_, std::memory_order_release); }
  // Returns false if the time was over, now or earlier: the socket will deliver no more octets. The processor
  // may reorder the store and the load. The watching thread orders them when necessary (membarrier), which
  // saves every read a full memory barrier.
  bool end() {
    reads_.store(++count_, std::memory_order_release);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    return !over_.load(std::memory_order_relaxed);
  }

 private:
  friend class ReadWatchThread;

  std::atomic<std::uint64_t> reads_{0};  // odd while a read is in progress
  std::uint64_t count_ = 0;              // only used by the reader
  std::atomic<bool> over_{false};
  std::atomic<std::chrono::nanoseconds> timeout_{std::chrono::nanoseconds(0)};
  // Guarded by the watching thread's mutex:
  int fd_ = -1;
  std::uint64_t seen_ = 0;                       // the read that was in progress at the last check,
  std::chrono::steady_clock::time_point since_;  // and when it was first seen
};

}  // namespace takt::os
