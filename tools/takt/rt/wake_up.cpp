#include "rt/wake_up.h"

#include <algorithm>
#include <thread>

#include "os/threads/processors.h"
#include "os/threads/scheduling.h"

namespace takt::command {
namespace {

using Clock = std::chrono::steady_clock;

void measure(WakeUps& result, int priority, Clock::time_point begin, std::size_t times) {
  os::Processors one;
  one.set(result.processor);
  os::run_on(one);
  result.real_time = os::set_scheduling({os::SchedulingClass::fifo, priority}) == 0;
  auto next = begin;
  for (std::size_t i = 0; i < times; ++i) {
    next += std::chrono::milliseconds(1);
    std::this_thread::sleep_until(next);
    result.lateness.push_back(Clock::now() - next);
  }
  std::ranges::sort(result.lateness);
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

}  // namespace takt::command
