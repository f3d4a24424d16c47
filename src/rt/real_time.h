// Real-time support of an ORB: priorities of threads, thread pools, and adapters' RT policies.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include <takt/rt/rtcorba.h>

#include "adapter/policies/extension.h"
#include "base/event_log.h"
#include "rt/lane_host.h"
#include "rt/priority_mappings.h"
#include "rt/thread_priority.h"
#include "rt/threadpools.h"
#include "threads/locks/priority_mutex.h"
#include "threads/scheduling/scheduling.h"

namespace takt::rt {

// One per ORB; any thread. It is large because each warning that is given once is a member.
class RealTime final : public adapter::AdapterExtension, public std::enable_shared_from_this<RealTime> {
 public:
  using Warn = std::function<void(const std::string&)>;  // any thread; must not throw
  // `warn` receives the reasons why threads do not run as they should.
  RealTime(os::SchedulingClass scheduling_class, ChosenMapping mapping, Warn warn);

  // The ORB's log; may be null. Set before the first thread runs.
  std::shared_ptr<EventLog> log;

  // Counts of threads that are in no lane.
  LaneCounts& outside_lanes() { return outside_lanes_; }
  // The counts of the calling thread's lane.
  LaneCounts& present_lane() { return LaneCounts::of_thread ? *LaneCounts::of_thread : outside_lanes_; }

  // Set it, if at all, before the first pool is made. The host's owner must reset it before destroying the
  // host.
  void set_host(LaneHost* host) { host_ = host; }
  // Native priority of the thread that watches timeouts of a second and more, as far as the process may use
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
  // The same; empty if the mapping has none.
  std::optional<os::Scheduling> upcall_scheduling_at(RTCORBA::Priority priority) const noexcept;
  // Runs an upcall, or a handler, at that priority. Returns false, without effect, if the mapping has no
  // native priority for it.
  bool run_upcall_at(RTCORBA::Priority priority) noexcept;
  // Throws DATA_CONVERSION, OMG minor 2.
  [[noreturn]] static void throw_no_native(RTCORBA::Priority priority);
  os::SchedulingClass scheduling_class() const { return class_; }

  struct PoolKind {
    bool has_lanes = false;
    bool lend_threads = false;  // between lanes
  };
  RTCORBA::ThreadpoolId make_pool(std::size_t stack_bytes, const RTCORBA::ThreadpoolLanes& lanes,
                                  PoolKind kind, std::shared_ptr<const server::BufferBounds> buffer);
  void destroy_pool(RTCORBA::ThreadpoolId id);
  // All pools, and the default pool if it was made.
  std::vector<std::shared_ptr<const Threadpool>> pools() const;
  // Like RTORB::_validate_connection().
  bool validate_connection(RTCORBA::ThreadpoolId id, const CORBA::object_reference<CORBA::Object>& object,
                           CORBA::PolicyList& inconsistent, std::chrono::nanoseconds bound);
  // The pool of adapters without a ThreadpoolPolicy, made with the first such adapter. Set it before that.
  // Without lanes, there is no default pool.
  struct DefaultPool {
    RTCORBA::ThreadpoolLanes lanes;  // in any order
    bool lend_threads = false;
    std::shared_ptr<const server::BufferBounds> buffer = {};
  };
  void set_default_pool(DefaultPool pool);
  // Changes the maximum of dynamic threads in each of its lanes. Excess threads end when idle. Throws
  // BAD_INV_ORDER if the pool exists and the lanes differ otherwise. Also if a lane began with neither
  // dynamic threads nor a queue, because it then does not count busy threads.
  void change_dynamic_threads(const RTCORBA::ThreadpoolLanes& lanes);

  // Provides the ORB's addresses for thread pools; see LaneHost.
  LaneHost& host() const;
  // Throws BAD_PARAM if the ORB lacks one of the transports.
  void require(const reference::ProtocolChoices& choices) const;

  // Warns once if the process may not set that priority on sockets.
  void check_socket_priority(int priority) const;

  bool knows(CORBA::Policy& policy) const override;
  std::shared_ptr<adapter::PoaExtension> extend(const CORBA::PolicyList& policies) override;

 private:
  std::shared_ptr<const Threadpool> open_pool(std::size_t stack_bytes, const RTCORBA::ThreadpoolLanes& lanes,
                                              PoolKind kind,
                                              std::shared_ptr<const server::BufferBounds> buffer);
  std::shared_ptr<const Threadpool> default_pool();  // null: there is none
  Threadpool::Lane open_lane(const RTCORBA::ThreadpoolLane& lane, server::PoolThreads threads);
  void open_lanes(Threadpool& pool, const RTCORBA::ThreadpoolLanes& lanes,
                  const server::PoolThreads& threads);
  void warn_of_shared(const RTCORBA::ThreadpoolLanes& lanes) const;
  bool run_watch_above(int native) noexcept;
  void check_watch(int native);
  void run_in_each_thread(const Threadpool& pool, const std::shared_ptr<server::ThreadRound>& round,
                          std::chrono::nanoseconds bound);
  void warn_once(int error);
  void warn_of_throttling();

  const os::SchedulingClass class_;
  LaneCounts outside_lanes_;
  ChosenMapping mapping_;
  std::atomic<bool> mapping_used_{false};  // set once a lane or a thread has had a priority
  std::atomic<LaneHost*> host_{nullptr};
  Threadpools pools_;
  os::PriorityMutex round_mutex_;            // one thread at a time may run validate_connection()
  mutable os::PriorityMutex default_mutex_;  // guards the following members
  DefaultPool default_;
  std::shared_ptr<const Threadpool> opened_default_;
  const Warn warn_;
  std::atomic<bool> told_{false}, warned_of_watch_{false};
  std::atomic<int> watch_above_{0};  // highest native priority so far; higher ones raise the watch
  std::atomic<bool> warned_of_throttling_{false};
  mutable std::atomic<bool> warned_of_socket_priority_{false};
};

}  // namespace takt::rt
