#include "logs/rate_limit.h"

#include <algorithm>

namespace takt::logs {

namespace {
constexpr int second_bit = 32;
std::uint32_t second_of(std::uint64_t admitted) { return static_cast<std::uint32_t>(admitted >> second_bit); }
}  // namespace

bool RateLimit::admits(LogEvent event, std::uint32_t second) noexcept {
  State& state = states_[static_cast<std::size_t>(event)];
  const std::uint64_t first = (std::uint64_t{second} << second_bit) + 1;
  std::uint64_t now = state.admitted.load(std::memory_order_relaxed);
  for (;;) {
    const bool same = second_of(now) == second;
    if (same && static_cast<std::uint32_t>(now) >= info_of(event).per_second) break;
    if (state.admitted.compare_exchange_weak(now, same ? now + 1 : first, std::memory_order_relaxed))
      return true;
  }
  leave_out(event);
  return false;
}

void RateLimit::leave_out(LogEvent event, std::uint64_t lines) noexcept {
  states_[static_cast<std::size_t>(event)].left_out.fetch_add(lines, std::memory_order_relaxed);
  has_left_out_.store(true, std::memory_order_release);
}

// Resets the flag before it reads the counts, so that a later leave_out() sets it again.
std::uint64_t RateLimit::take_left_out(LogEvent event) noexcept {
  has_left_out_.exchange(false, std::memory_order_acq_rel);
  const std::uint64_t count = states_[static_cast<std::size_t>(event)].left_out.exchange(0);
  const bool others = std::ranges::any_of(states_, [](const State& one) { return one.left_out != 0; });
  if (others) has_left_out_.store(true, std::memory_order_relaxed);
  return count;
}

}  // namespace takt::logs
