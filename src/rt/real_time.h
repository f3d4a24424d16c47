// What an ORB does about real time: priorities of threads, thread pools, and adapters' RT policies.
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
#include "os/threads/priority_mutex.h"
#include "os/threads/scheduling.h"
#include "rt/lane_host.h"
#include "rt/priority_mappings.h"
#include "rt/thread_priority.h"
#include "rt/threadpools.h"

namespace takt::rt {

// One of an ORB; any thread.
class RealTime final : public adapter::AdapterExtension, public std::enable_shared_from_this<RealTime> {
 public:
  using Warn = std::function<void(const std::string&)>;  // any thread; must not throw
  // `warn`: says, once each, why threads do not run as they should.
  RealTime(os::SchedulingClass scheduling_class, ChosenMapping mapping, Warn warn);

  // Set before the first pool is made, if ever; whoever owns it takes it back before it goes.
  void set_host(LaneHost* host) { host_ = host; }
  // Where the thread that keeps timeouts of a second and more runs: at that native priority, if at any;
  // nothing: one above the highest that this ORB's threads, lanes and upcalls have had so far.
  void set_watch_priority(std::optional<int> native);
  void set_mapping(std::shared_ptr<const RTCORBA::PriorityMapping> mapping);
  // What a schedule that is installed now asks for: a mapping that has all these priorities (DATA_CONVERSION
  // otherwise) and leads no two of them to one native priority (BAD_PARAM, which names both and the cure).
  // The mapping for schedules is chosen if there is one, has them all, and no thread or lane has had a
  // priority by the present one. Before requests are served.
  void choose_mapping_for(std::span<const PriorityUse> uses);
  // The same of the mapping that there is. Any thread.
  void require_distinct(std::span<const PriorityUse> uses) const;

  // The calling thread runs at it from now on, as far as the process may. DATA_CONVERSION where the mapping
  // has no native priority for it.
  void run_at(RTCORBA::Priority priority);
  // What the mapping makes of it, checked: BAD_PARAM, DATA_CONVERSION.
  os::Scheduling native_of(RTCORBA::Priority priority) const;
  // The same for an upcall. False: the mapping has none for it, and the thread stays as it is.
  bool run_upcall_at(RTCORBA::Priority priority) noexcept;
  // DATA_CONVERSION, OMG minor 2.
  [[noreturn]] static void throw_no_native(RTCORBA::Priority priority);
  os::SchedulingClass scheduling_class() const { return class_; }

  struct PoolKind {
    bool has_lanes = false;
    bool lend_threads = false;  // from lane to lane
  };
  RTCORBA::ThreadpoolId make_pool(std::size_t stack_bytes, const RTCORBA::ThreadpoolLanes& lanes,
                                  PoolKind kind, std::shared_ptr<const server::BufferBounds> buffer);
  void destroy_pool(RTCORBA::ThreadpoolId id);
  // As RTORB::_validate_connection().
  bool validate_connection(RTCORBA::ThreadpoolId id, const CORBA::object_reference<CORBA::Object>& object,
                           CORBA::PolicyList& inconsistent, std::chrono::nanoseconds bound);
  // What adapters without a ThreadpoolPolicy have; made when the first of them is. Set before that; no lanes:
  // they have none.
  struct DefaultPool {
    RTCORBA::ThreadpoolLanes lanes;  // in any order
    bool lend_threads = false;
    std::shared_ptr<const server::BufferBounds> buffer = {};
  };
  void set_default_pool(DefaultPool pool);
  // From now on, so many dynamic threads at most in each of its lanes; those that are too many end when they
  // have nothing to do. BAD_INV_ORDER where the pool is there and the lanes differ otherwise, or one has
  // begun with neither any nor a queue, and would not know when all its threads are busy.
  void change_dynamic_threads(const RTCORBA::ThreadpoolLanes& lanes);

  // Where clients reach the ORB by these; see LaneHost.
  LaneHost& host() const;
  // BAD_PARAM where the ORB has no such transport.
  void require(const reference::ProtocolChoices& choices) const;

  // Says once that the process may not give sockets that priority, if that is so.
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
  void tell_once(int error);
  void tell_of_throttling();

  const os::SchedulingClass class_;
  ChosenMapping mapping_;
  std::atomic<bool> mapping_used_{false};  // by a lane or a thread
  std::atomic<LaneHost*> host_{nullptr};
  Threadpools pools_;
  os::PriorityMutex round_mutex_;    // one at a time asks the threads of pools
  os::PriorityMutex default_mutex_;  // for what follows
  DefaultPool default_;
  std::shared_ptr<const Threadpool> opened_default_;
  const Warn warn_;
  std::atomic<bool> told_{false}, told_of_watch_{false};
  std::atomic<int> watch_above_{0};  // native priorities; from the highest on, none concerns the watch
  std::atomic<bool> told_of_throttling_{false};
  mutable std::atomic<bool> told_of_socket_priority_{false};
};

}  // namespace takt::rt
