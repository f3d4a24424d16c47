// The priorities that the threads of an ORB run at.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <takt/rt/rtcorba.h>

#include "base/event_log.h"
#include "giop/contexts/priorities.h"
#include "rt/lane_counts.h"
#include "rt/priority_mappings.h"
#include "rt/thread_priority.h"
#include "threads/scheduling/scheduling.h"

namespace takt::rt {

// Gives threads the native equivalents of their RT-CORBA priorities, and warns once where the process may
// not. One per ORB; any thread.
class ThreadPriorities {
 public:
  using Warn = std::function<void(const std::string&)>;  // any thread; must not throw
  // `warn` receives the reasons why threads do not run as they should.
  ThreadPriorities(os::SchedulingClass scheduling_class, ChosenMapping mapping, Warn warn);

  // The ORB's log; may be null. Set before the first thread runs.
  std::shared_ptr<EventLog> log;

  // Counts of threads that are in no lane.
  LaneCounts& outside_lanes() { return outside_lanes_; }
  // The counts of the calling thread's lane.
  LaneCounts& present_lane() { return LaneCounts::of_thread ? *LaneCounts::of_thread : outside_lanes_; }

  // Native priority of the threads that watch timeouts of a second and more, as far as the process may use
  // it. Empty: one above the highest priority that this ORB's threads, lanes and upcalls have had so far.
  void set_watch_priority(std::optional<int> native);
  void set_mapping(std::shared_ptr<const RTCORBA::PriorityMapping> mapping);
  // Chooses the mapping for a schedule that is being installed. Uses the mapping for schedules if there is
  // one, it has all these priorities, and no thread or lane has had a priority by the present one. Throws as
  // require_distinct() does. Call before requests are served.
  void choose_mapping_for(std::span<const PriorityUse> uses);
  // Checks the present mapping. Throws DATA_CONVERSION if it lacks one of these priorities. Throws BAD_PARAM,
  // with a remedy, if two of them map to the same native priority. Any thread.
  void require_distinct(std::span<const PriorityUse> uses) const;

  // Sets the calling thread's priority, as far as the process may. Throws DATA_CONVERSION if the mapping has
  // no native priority for it.
  void run_at(RTCORBA::Priority priority);
  // The native equivalent. Throws BAD_PARAM and DATA_CONVERSION.
  os::Scheduling native_of(RTCORBA::Priority priority) const;
  bool has_native(RTCORBA::Priority priority) const;
  // Whether the two are different priorities with the same native one.
  bool share_native(RTCORBA::Priority one, RTCORBA::Priority other) const;
  // The same; empty if the mapping has none.
  std::optional<os::Scheduling> upcall_scheduling_at(RTCORBA::Priority priority) const noexcept;
  // Runs an upcall at that priority. Returns false, without effect, if the mapping has no
  // native priority for it.
  bool run_upcall_at(RTCORBA::Priority priority) noexcept;
  // The same for a thread that serves several ORBs, whose mappings may differ. A negative priority: the
  // thread runs as it did before it got its first one.
  bool run_handler_at(RTCORBA::Priority priority) noexcept;
  // Throws DATA_CONVERSION, OMG minor 2.
  [[noreturn]] static void throw_no_native(RTCORBA::Priority priority);
  os::SchedulingClass scheduling_class() const { return class_; }

  // A lane will have that priority. Throws as native_of() does.
  void expect(RTCORBA::Priority priority);
  // Warns if two of them map to the same native priority.
  void warn_of_shared(std::span<const PriorityUse> uses) const;
  // The same for the bands of an adapter, of which there may be many: warns once.
  void warn_of_shared_bands(std::span<const giop::PriorityBand> bands);

 private:
  bool run_watch_above(int native) noexcept;
  void check_watch(int native);
  void warn_once(int error);
  void warn_of_throttling();

  const os::SchedulingClass class_;
  LaneCounts outside_lanes_;
  ChosenMapping mapping_;
  std::atomic<bool> mapping_used_{false};  // set once a lane or a thread has had a priority
  const Warn warn_;
  std::atomic<bool> told_{false}, warned_of_watch_{false}, warned_of_throttling_{false},
      warned_of_bands_{false};
  std::atomic<int> watch_above_{0};  // highest native priority so far; higher ones raise the watch
};

}  // namespace takt::rt
