// Decides what happens to each message, and says so in a file.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string_view>

#include "faults/fault_plan.h"
#include "threads/locks/priority_mutex.h"

namespace takt::faults {

// The faults of one message.
struct MessageFate {
  bool lost = false, twice = false;
  std::chrono::nanoseconds delay{0};
  std::uint32_t corrupted = 0;  // octets of its body to change at most, for all such faults
  std::uint64_t number = 0;     // for drawing the places of these octets
};

// Any thread. The fate of the Nth message to which a fault applies depends on the seed, the fault and N, and
// not on threads and times.
class FaultSource {
 public:
  // Throws std::runtime_error if the log's file cannot be opened.
  explicit FaultSource(FaultPlan plan);
  FaultSource(const FaultSource&) = delete;
  FaultSource& operator=(const FaultSource&) = delete;

  // Whether the plan has faults of such messages.
  bool has(Message message) const;
  // Counts the message. `can_double`: it is offered whole. Writes a line for each fault, with a lock,
  // if the plan names a log. Does not allocate.
  MessageFate fate_of(Message message, std::string_view operation, bool can_double);

 private:
  struct Counts {
    std::atomic<std::uint64_t> matched{0}, done{0};
  };
  bool happens(std::size_t fault, std::uint64_t& number);
  void log(const Fault& fault, std::uint64_t number, std::string_view operation);

  const FaultPlan plan_;
  const std::unique_ptr<Counts[]> counts_;
  os::PriorityMutex mutex_;
  std::ofstream log_;  // guarded by the mutex; not open: none
};

}  // namespace takt::faults
