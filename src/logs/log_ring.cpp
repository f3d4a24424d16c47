#include "logs/log_ring.h"

namespace takt::logs {

LogRing::LogRing()
    : turns_(std::make_unique<std::atomic<std::uint64_t>[]>(places)),
      records_(std::make_unique_for_overwrite<LogRecord[]>(places)) {
  for (std::size_t i = 0; i < places; ++i) turns_[i].store(i, std::memory_order_relaxed);
}

bool LogRing::put(const LogLine& line) noexcept {
  std::uint64_t at = end_.load(std::memory_order_relaxed);
  for (;;) {
    const std::uint64_t turn = turns_[at & mask].load(std::memory_order_acquire);
    if (turn == at) {
      if (end_.compare_exchange_weak(at, at + 1, std::memory_order_relaxed)) break;
    } else if (turn < at) {
      return false;
    } else {
      at = end_.load(std::memory_order_relaxed);
    }
  }
  records_[at & mask].set(line);
  turns_[at & mask].store(at + 1, std::memory_order_release);
  return true;
}

const LogRecord* LogRing::front() const noexcept {
  const std::uint64_t at = begin_.load(std::memory_order_relaxed);
  return turns_[at & mask].load(std::memory_order_acquire) == at + 1 ? &records_[at & mask] : nullptr;
}

void LogRing::pop() noexcept {
  const std::uint64_t at = begin_.load(std::memory_order_relaxed);
  turns_[at & mask].store(at + places, std::memory_order_release);
  begin_.store(at + 1, std::memory_order_release);
}

bool LogRing::empty() const noexcept {
  return begin_.load(std::memory_order_acquire) == end_.load(std::memory_order_acquire);
}

}  // namespace takt::logs
