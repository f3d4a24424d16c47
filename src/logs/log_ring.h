// The bounded queue between the threads that log and the one that writes.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "logs/log_record.h"

namespace takt::logs {

// Any thread puts records, one takes them. Neither locks nor allocates after construction. A thread that is
// preempted while it fills its place delays the writer, but no other thread that puts.
class LogRing {
 public:
  static constexpr std::size_t places = 256;  // a power of two

  LogRing();
  // False: the ring is full, and nothing was put.
  bool put(const LogLine& line) noexcept;
  // Null if no record is ready. The record is valid until pop().
  const LogRecord* front() const noexcept;
  void pop() noexcept;
  // Whether every record that was put has been taken.
  bool empty() const noexcept;

 private:
  static constexpr std::size_t mask = places - 1;

  // A place's turn: its number while free, one more while it holds that record.
  std::unique_ptr<std::atomic<std::uint64_t>[]> turns_;
  std::unique_ptr<LogRecord[]> records_;  // pages are touched only when used
  std::atomic<std::uint64_t> end_{0}, begin_{0};
};

}  // namespace takt::logs
