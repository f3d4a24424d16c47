#include "frames/protocol/reception.h"

#include <algorithm>
#include <cstdlib>

namespace takt::frames {

namespace {

constexpr std::uint32_t cycle = 1u << 16;
constexpr std::uint16_t most_ahead = 3000, most_behind = 100;
constexpr std::int64_t most_lost = 0x7fffff, most_twice = -0x800000;  // 24 bits, signed

// A time in units of the clock, modulo 2^32. Converts whole seconds first, to avoid overflow.
std::uint32_t in_units(Reception::TimePoint time, std::uint32_t clock_rate) {
  using namespace std::chrono;
  const auto since = time.time_since_epoch();
  const auto whole = floor<seconds>(since);
  const auto rest = duration_cast<nanoseconds>(since - whole);
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(whole.count()) * clock_rate +
                                    static_cast<std::uint64_t>(rest.count()) * clock_rate / 1'000'000'000);
}

}  // namespace

void Reception::begin(std::uint16_t sequence) {
  begun_ = true;
  ++begins_;
  leap_ = static_cast<std::uint16_t>(sequence - highest_);
  base_ = highest_ = sequence;
  cycles_ = 0;
  received_ = expected_before_ = received_before_ = 0;
  after_jump_.reset();
  transit_.reset();
}

// RFC 3550, A.1.
bool Reception::take_number(std::uint16_t sequence) {
  if (!begun_) begin(sequence);
  const auto ahead = static_cast<std::uint16_t>(sequence - highest_);
  if (ahead < most_ahead) {
    if (sequence < highest_) cycles_ += cycle;
    highest_ = sequence;
  } else if (ahead <= cycle - most_behind) {
    if (after_jump_ != sequence) {
      after_jump_ = static_cast<std::uint16_t>(sequence + 1);
      return false;
    }
    begin(sequence);
  }
  ++received_;
  return true;
}

bool Reception::take(std::uint16_t sequence, std::uint32_t timestamp, TimePoint arrived) {
  if (!take_number(sequence)) return false;
  // RFC 3550, A.8.
  const std::uint32_t transit = in_units(arrived, clock_rate_) - timestamp;
  if (transit_) {
    const auto change = static_cast<std::int32_t>(transit - *transit_);
    jitter_ = jitter_ + static_cast<std::uint64_t>(std::abs(std::int64_t{change})) - ((jitter_ + 8) >> 4);
  }
  transit_ = transit;
  return true;
}

std::uint64_t Reception::lost() const {
  const std::uint32_t expected = static_cast<std::uint32_t>(cycles_) + highest_ - base_ + 1;
  const auto missing = static_cast<std::int32_t>(expected - received_);
  return begun_ && missing > 0 ? static_cast<std::uint64_t>(missing) : 0;
}

// RFC 3550, A.3.
FrameReport Reception::report() {
  FrameReport report;
  if (!begun_) return report;
  report.highest_sequence = static_cast<std::uint32_t>(cycles_) + highest_;
  report.jitter = static_cast<std::uint32_t>(std::min<std::uint64_t>(jitter_ >> 4, UINT32_MAX));
  const std::uint32_t expected = report.highest_sequence - base_ + 1;
  report.cumulative_lost = static_cast<std::int32_t>(
      std::clamp(std::int64_t{expected} - std::int64_t{received_}, most_twice, most_lost));
  const std::uint32_t expected_now = expected - expected_before_, received_now = received_ - received_before_;
  expected_before_ = expected;
  received_before_ = received_;
  if (expected_now > received_now)
    report.fraction_lost = static_cast<std::uint8_t>(
        std::min<std::uint64_t>(255, (std::uint64_t{expected_now - received_now} << 8) / expected_now));
  return report;
}

}  // namespace takt::frames
