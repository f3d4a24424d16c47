// Who was in which step of a call, and since when: the ORB's own record of its time probes.
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
#include "os/threads/priority_mutex.h"

namespace takt::probes {

// One probe, as it is kept.
struct ProbeRecord {
  static constexpr std::size_t operation_bytes = 24;

  std::int64_t time_ns = 0;  // of the steady clock, which all processes of a machine share
  Step step = Step::client_done;
  std::uint32_t thread = 0;      // the system's number
  std::uint32_t request_id = 0;  // 0 where the step does not know it
  std::array<char, operation_bytes> operation{};
  std::uint8_t operation_length = 0;  // 0 likewise; longer names are cut

  std::string_view operation_text() const { return {operation.data(), operation_length}; }
};

// Of one ORB that is probed. A ring for each thread that calls or serves, of the newest records; the ring of
// a thread that has ended serves the next one. So the memory is bounded by `records` and `max_rings`. Any
// thread; begin() neither locks nor blocks, and allocates in a thread's first call only.
class ProbeLog final : public StepLog, public std::enable_shared_from_this<ProbeLog> {
 public:
  static constexpr std::size_t max_rings = 1024;

  // `records`: of each ring, rounded up to a power of two.
  explicit ProbeLog(std::size_t records);
  ~ProbeLog();

  using StepLog::begin;
  void begin(Step step, std::uint32_t request_id, std::string_view operation) override;

  // Ends recording. What is there, oldest first; one list for each ring.
  std::vector<std::vector<ProbeRecord>> stop();
  // Threads that found no ring, and records that newer ones have replaced.
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
