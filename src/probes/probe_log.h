// The ORB's record of its time probes: which thread entered which step of a call, and when.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "base/step.h"
#include "threads/locks/priority_mutex.h"

namespace takt::probes {

// One recorded probe.
struct ProbeRecord {
  static constexpr std::size_t operation_bytes = 24;

  std::int64_t time_ns = 0;  // CLOCK_MONOTONIC, which all processes of a machine share
  Step step = Step::client_done;
  std::uint32_t thread = 0;      // the system's thread id
  std::uint32_t request_id = 0;  // 0 if the step does not know it
  std::array<char, operation_bytes> operation{};
  std::uint8_t operation_length = 0;  // 0 if the step does not know it; longer names are cut

  std::string_view operation_text() const { return {operation.data(), operation_length}; }
};

// The log of one probed ORB. Each thread that calls or serves has a ring of its newest records; a new thread
// reuses the ring of one that has ended. So `records` and `max_rings` bound the memory. Any thread. begin()
// neither locks nor blocks, and allocates only in a thread's first call.
class ProbeLog final : public StepLog, public std::enable_shared_from_this<ProbeLog> {
 public:
  static constexpr std::size_t max_rings = 1024;

  // `records`: capacity of each ring, rounded up to a power of two.
  explicit ProbeLog(std::size_t records);
  ~ProbeLog();

  using StepLog::begin;
  void begin(Step step, std::uint32_t request_id, std::string_view operation) override;

  // Ends recording and returns the records, oldest first, in one list per ring.
  std::vector<std::vector<ProbeRecord>> stop();
  // Threads that found no free ring, and records that newer ones have overwritten.
  std::uint64_t threads_missed() const { return missed_.load(std::memory_order_relaxed); }
  std::uint64_t records_replaced() const;

 private:
  class Ring;
  struct Mine;

  Ring* take_ring();
  void give_back(Ring* ring);

  const std::size_t records_;
  std::atomic<bool> stopped_{false};
  std::atomic<std::uint64_t> missed_{0};
  mutable os::PriorityMutex mutex_;
  std::vector<std::unique_ptr<Ring>> rings_;
  std::vector<Ring*> idle_;
  static thread_local Mine mine_;
};

}  // namespace takt::probes
