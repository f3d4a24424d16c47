#include "rt/wake_up.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <thread>

#include "common/percentile.h"
#include "threads/processors.h"
#include "threads/scheduling/scheduling.h"

namespace takt::command {
namespace {

using Clock = std::chrono::steady_clock;

void measure(WakeUps& result, int priority, Clock::time_point begin, std::size_t times) {
  os::Processors one;
  one.set(result.processor);
  os::run_on(one);
  if (os::set_scheduling({os::SchedulingClass::fifo, priority}) == 0) result.priority = priority;
  auto next = begin;
  for (std::size_t i = 0; i < times; ++i) {
    next += std::chrono::milliseconds(1);
    std::this_thread::sleep_until(next);
    result.lateness.push_back(Clock::now() - next);
  }
  std::ranges::sort(result.lateness);
}

double us(std::chrono::nanoseconds time) { return std::chrono::duration<double, std::micro>(time).count(); }

std::string in_us(std::chrono::nanoseconds time) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f us", us(time));
  return text;
}

}  // namespace

std::vector<WakeUps> measure_wake_ups(int priority, std::chrono::milliseconds length) {
  const auto times = static_cast<std::size_t>(length.count());
  const os::Processors processors = os::present_processors();
  std::vector<WakeUps> results;
  for (unsigned number = 0; number < processors.size(); ++number)
    if (processors.test(number)) {
      results.emplace_back().processor = number;
      results.back().lateness.reserve(times);
    }
  std::vector<std::jthread> threads;
  const auto begin = Clock::now();
  for (WakeUps& each : results) threads.emplace_back([&, begin] { measure(each, priority, begin, times); });
  threads.clear();
  return results;
}

Finding finding_of(const WakeUps& wake_ups, bool settings_are_bad) {
  const std::chrono::nanoseconds worst = wake_ups.lateness.back();
  Finding finding{"wake-up, core " + std::to_string(wake_ups.processor), Health::good, {}};
  finding.found = "median " + in_us(nearest_rank(wake_ups.lateness, 0.5)) + ", 99 % " +
                  in_us(nearest_rank(wake_ups.lateness, 0.99)) + ", worst " + in_us(worst) + " late, of " +
                  std::to_string(wake_ups.lateness.size()) + " times" +
                  (wake_ups.is_real_time() ? "" : ", as an ordinary thread");
  finding.wake_ups = {.latest = worst, .priority = wake_ups.priority};
  if (worst <= std::chrono::microseconds(100)) return finding;
  finding.health = worst <= std::chrono::milliseconds(1) ? Health::note : Health::bad;
  if (!wake_ups.is_real_time())
    finding.advice = "give the process real-time priorities, and measure again";
  else
    finding.advice = std::string(settings_are_bad ? "repair what is BAD above; " : "") +
                     "in a virtual machine, the host may delay it: pin its virtual processors on the host";
  return finding;
}

}  // namespace takt::command
