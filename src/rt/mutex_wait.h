// How long an RTCORBA::Mutex may be waited for.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "reference/policies/call_policies.h"

namespace takt::rt {

// `units`: a TimeBase::TimeT, of 100 ns each. Times of more than ten years count as ten years, so that the
// result can be added to a clock's time.
constexpr std::chrono::nanoseconds time_of(std::uint64_t units) {
  using Unit = std::chrono::duration<std::int64_t, std::ratio<1, 10'000'000>>;
  constexpr auto most = std::chrono::duration_cast<Unit>(reference::CallPolicies::longest);
  return Unit(static_cast<std::int64_t>(std::min(units, static_cast<std::uint64_t>(most.count()))));
}

}  // namespace takt::rt
