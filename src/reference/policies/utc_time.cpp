#include "reference/policies/utc_time.h"

#include "reference/policies/call_policies.h"

namespace takt::reference {

namespace {

using std::chrono::nanoseconds;
using Clock = CallPolicies::Clock;

constexpr nanoseconds unit(100);
constexpr giop::UtcTime epoch_1970 = 0x01b21dd213814000;

giop::UtcTime utc_now() {
  const nanoseconds since_1970 = std::chrono::system_clock::now().time_since_epoch();
  return epoch_1970 + static_cast<giop::UtcTime>(since_1970 / unit);
}

}  // namespace

Clock::time_point moment_of(giop::UtcTime utc) {
  const giop::UtcTime now = utc_now();
  const auto steady_now = Clock::now();
  if (utc <= now) return steady_now;
  if (utc - now > static_cast<giop::UtcTime>(CallPolicies::longest / unit)) return CallPolicies::never;
  return steady_now + unit * static_cast<std::int64_t>(utc - now);
}

giop::UtcTime utc_of(Clock::time_point moment) {
  const nanoseconds ahead = moment - Clock::now();
  return utc_now() + static_cast<giop::UtcTime>(ahead / unit);
}

}  // namespace takt::reference
