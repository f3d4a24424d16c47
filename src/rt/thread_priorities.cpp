#include "rt/thread_priorities.h"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <utility>
#include <vector>

#include <takt/cdr/exception.h>

#include "os/error_text.h"
#include "threads/scheduling/throttling.h"
#include "threads/watching_thread.h"

namespace takt::rt {

using RTCORBA::Priority;

namespace {
// The watching thread has class fifo.
int one_above(int native) {
  return std::min(native + 1, os::native_priorities(os::SchedulingClass::fifo).highest);
}
}  // namespace

ThreadPriorities::ThreadPriorities(os::SchedulingClass scheduling_class, ChosenMapping mapping, Warn warn)
    : class_(scheduling_class), mapping_(std::move(mapping)), warn_(std::move(warn)) {}

void ThreadPriorities::set_mapping(std::shared_ptr<const RTCORBA::PriorityMapping> mapping) {
  if (!mapping) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "a null priority mapping");
  mapping_ = {.name = "of the program", .mapping = std::move(mapping)};
}

void ThreadPriorities::choose_mapping_for(std::span<const PriorityUse> uses) {
  const auto has = [&](const PriorityUse& use) {
    RTCORBA::NativePriority native = 0;
    return mapping_.for_schedules->to_native(use.priority, native);
  };
  if (!uses.empty() && mapping_.for_schedules && !mapping_used_ && std::ranges::all_of(uses, has))
    mapping_ = {.name = "direct", .mapping = std::move(mapping_.for_schedules)};
  require_distinct(uses);
}

void ThreadPriorities::require_distinct(std::span<const PriorityUse> uses) const {
  for (const PriorityUse& use : uses) native_of(use.priority);
  if (class_ == os::SchedulingClass::other) return;
  if (const auto shared = shared_native(uses, *mapping_.mapping))
    throw CORBA::BAD_PARAM(
        0, CORBA::COMPLETED_NO,
        "schedule: " + text_of(*shared, mapping_.name) +
            ", so that neither precedes the other: give -ORBPriorityMapping direct, and priorities from " +
            std::to_string(os::native_priorities(class_).lowest) + " to " +
            std::to_string(os::native_priorities(class_).highest) +
            (mapping_.for_schedules && mapping_used_
                 ? ", or install the schedule before a thread or lane gets a priority"
                 : ""));
}

// RT-CORBA allows lanes to share a native priority, but it is rarely intended.
void ThreadPriorities::warn_of_shared(std::span<const PriorityUse> uses) const {
  if (class_ == os::SchedulingClass::other) return;
  if (const auto shared = shared_native(uses, *mapping_.mapping))
    warn_(text_of(*shared, mapping_.name) +
          ", so that neither precedes the other: give -ORBPriorityMapping direct if these are native "
          "priorities");
}

// Each with the native priority of its upper end.
[[gnu::cold]] void ThreadPriorities::warn_of_shared_bands(std::span<const giop::PriorityBand> bands) {
  std::vector<PriorityUse> uses;
  for (const giop::PriorityBand& band : bands) uses.push_back({band.high, "band"});
  if (shared_native(uses, *mapping_.mapping) && !warned_of_bands_.exchange(true)) warn_of_shared(uses);
}

os::Scheduling ThreadPriorities::native_of(Priority priority) const {
  if (priority < RTCORBA::minPriority)
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                           "priority " + std::to_string(priority) + " is not from 0 to 32767");
  RTCORBA::NativePriority native = 0;
  if (!mapping_.mapping->to_native(priority, native)) throw_no_native(priority);
  return {class_, native};
}

bool ThreadPriorities::has_native(Priority priority) const {
  RTCORBA::NativePriority native = 0;
  return priority >= RTCORBA::minPriority && mapping_.mapping->to_native(priority, native);
}

bool ThreadPriorities::share_native(Priority one, Priority other) const {
  return one != other && has_native(one) && has_native(other) &&
         native_of(one).priority == native_of(other).priority;
}

[[gnu::cold, gnu::noinline]] void ThreadPriorities::throw_no_native(Priority priority) {
  throw CORBA::DATA_CONVERSION(CORBA::omg_minor(2), CORBA::COMPLETED_NO,
                               "the priority mapping has no native priority for " + std::to_string(priority));
}

void ThreadPriorities::set_watch_priority(std::optional<int> native) {
  if (class_ == os::SchedulingClass::other) native = 0;
  if (!native) return;
  watch_above_ = std::numeric_limits<int>::max();
  if (*native > 0) check_watch(*native);
}

// Returns true if it is the highest priority so far.
bool ThreadPriorities::run_watch_above(int native) noexcept {
  if (native <= watch_above_.load(std::memory_order_relaxed)) [[likely]]
    return false;
  watch_above_.store(
      native, std::memory_order_relaxed);  // a race keeps the lower one, which only costs another check
  os::WatchingThread::run_at_least(one_above(native));
  return true;
}

// Warns once if the watch cannot have that priority.
void ThreadPriorities::check_watch(int native) {
  if (warned_of_watch_.load(std::memory_order_relaxed)) return;
  int error = os::WatchingThread::run_at_least(native);
  if (error == 0 && !os::may_use({os::SchedulingClass::fifo, native})) error = EPERM;
  if (error == 0 || warned_of_watch_.exchange(true)) return;
  warn_(
      "the threads that keep timeouts of a second and more cannot have priority " + std::to_string(native) +
      " (-ORBWatchPriority): " + os::error_text(error) +
      "; such timeouts may be late while threads of that priority or the next lower one keep all processors");
}

void ThreadPriorities::run_at(Priority priority) {
  const os::Scheduling native = native_of(priority);
  if (!mapping_used_.load(std::memory_order_relaxed)) mapping_used_ = true;
  const bool highest = run_watch_above(native.priority);
  if (const int error = ThreadPriority::set(priority, native)) return warn_once(error);
  if (highest) check_watch(one_above(native.priority));
  if (!warned_of_throttling_.load(std::memory_order_relaxed)) warn_of_throttling();
}

std::optional<os::Scheduling> ThreadPriorities::upcall_scheduling_at(Priority priority) const noexcept {
  RTCORBA::NativePriority native = 0;
  if (!mapping_.mapping->to_native(priority, native)) return std::nullopt;
  return os::Scheduling{class_, native};
}

bool ThreadPriorities::run_upcall_at(Priority priority) noexcept {
  return ThreadPriority::present().priority == priority ||  // for example in its own lane
         run_handler_at(priority);
}

bool ThreadPriorities::run_handler_at(Priority priority) noexcept {
  if (priority < RTCORBA::minPriority) {
    ThreadPriority::restore({.priority = -1, .native = -1}, class_);
    ThreadPriority::local_call_begins();
    return true;
  }
  RTCORBA::NativePriority native = 0;
  if (!mapping_.mapping->to_native(priority, native)) return false;
  run_watch_above(native);
  if (const int error = ThreadPriority::set(priority, {class_, native})) warn_once(error);
  return true;
}

void ThreadPriorities::warn_once(int error) {
  if (told_.exchange(true)) return;
  warn_(std::string("threads stay at their ordinary priority: ") + os::error_text(error) +
        "; real-time priorities need CAP_SYS_NICE or a higher RLIMIT_RTPRIO");
}

void ThreadPriorities::warn_of_throttling() {
  if (class_ == os::SchedulingClass::other || warned_of_throttling_.exchange(true)) return;
  if (const std::string& throttling = os::real_time_throttling(); !throttling.empty()) warn_(throttling);
}

void ThreadPriorities::expect(Priority priority) {
  run_watch_above(native_of(priority).priority);
  mapping_used_ = true;
}

}  // namespace takt::rt
