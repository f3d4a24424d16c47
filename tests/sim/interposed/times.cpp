// Clocks and sleeping.
#include "interposed/times.h"

#include "machine/machine.h"
#include "machine/system_calls.h"

using takt::sim::duration_of;
using takt::sim::machine;
using takt::sim::real;
using takt::sim::simulated;

extern "C" {

int clock_gettime(clockid_t clock, timespec* now) noexcept {
  if (!simulated()) {
    static auto* const ask = real<int(clockid_t, timespec*)>("clock_gettime");
    return ask(clock, now);
  }
  *now = takt::sim::to_timespec(takt::sim::start_of(clock) + machine().scheduler.now());
  return 0;
}

int nanosleep(const timespec* time, timespec* rest) {
  if (!simulated()) return real<int(const timespec*, timespec*)>("nanosleep")(time, rest);
  machine().sleep(duration_of(*time));
  return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* rest) {
  if (!simulated())
    return real<int(clockid_t, int, const timespec*, timespec*)>("clock_nanosleep")(clock, flags, time, rest);
  const auto now = machine().scheduler.now();
  machine().sleep(flags & TIMER_ABSTIME ? takt::sim::time_of(clock, *time) - now : duration_of(*time));
  return 0;
}

}  // extern "C"
