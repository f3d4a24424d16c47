#include "recorder/recording_clock.h"

#include <chrono>
#include <fstream>
#include <string>

namespace takt::recorder {

namespace {

using namespace std::chrono_literals;

// Linux checks the counters of all processors against each other, and uses another clock if they differ.
bool system_trusts_ticks() {
  std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  std::string source;
  file >> source;
  return source == "tsc" || source == "arch_sys_counter";
}

// The clock is read between two counts, which belong to its time unless the thread was stopped in between:
// then they are further apart than this many times the least distance.
constexpr std::uint64_t longest_read = 4;
constexpr auto least_measured = 20ms, between_reads = 100ms;

}  // namespace

std::int64_t recording_time() {
  return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

RecordingClock::RecordingClock() : is_trusted_(system_trusts_ticks()) {}

[[gnu::cold, gnu::noinline]] std::int64_t RecordingClock::read_clock() noexcept {
  if (!is_trusted_) return recording_time();
  const std::uint64_t before = os::ticks();
  const std::int64_t time = recording_time();
  const std::uint64_t passed = os::ticks() - before;
  std::uint64_t least = least_read_.load(std::memory_order_relaxed);
  if (passed < least) least_read_.store(least = passed, std::memory_order_relaxed);
  if (passed > longest_read * least) return time;
  if (std::chrono::steady_clock::now() - measured_.begin() < least_measured) return time;
  const double rate = measured_.get();
  const std::uint64_t since_begin = before + passed / 2 - begin_;
  offset_ns_.store(time - static_cast<std::int64_t>(static_cast<double>(since_begin) * rate),
                   std::memory_order_relaxed);
  rate_.store(rate, std::memory_order_relaxed);
  const auto between = static_cast<double>(std::chrono::nanoseconds(between_reads).count()) / rate;
  until_.store(since_begin + static_cast<std::uint64_t>(between), std::memory_order_release);
  return time;
}

}  // namespace takt::recorder
