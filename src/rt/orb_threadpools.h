// The thread pools of an ORB.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <vector>

#include <takt/rt/rtcorba.h>

#include "rt/lane_host.h"
#include "rt/thread_priorities.h"
#include "rt/threadpools.h"
#include "threads/locks/priority_mutex.h"

namespace takt::rt {

// Opens the lanes of pools at their host, and closes them. One per ORB; any thread.
class OrbThreadpools {
 public:
  OrbThreadpools(std::shared_ptr<ThreadPriorities> priorities, ThreadPriorities::Warn warn)
      : priorities_(std::move(priorities)), warn_(std::move(warn)) {}

  // Set it, if at all, before the first pool is made. The host's owner must reset it before destroying the
  // host.
  void set_host(LaneHost* host) { host_ = host; }

  struct PoolKind {
    bool has_lanes = false;
    bool lend_threads = false;  // between lanes
  };
  RTCORBA::ThreadpoolId make_pool(std::size_t stack_bytes, const RTCORBA::ThreadpoolLanes& lanes,
                                  PoolKind kind, std::shared_ptr<const server::BufferBounds> buffer);
  void destroy_pool(RTCORBA::ThreadpoolId id);
  // The made pools, and the default pool if it was opened.
  std::vector<std::shared_ptr<const Threadpool>> all() const;
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

  // Opens the default pool if there is one, else null.
  std::shared_ptr<const Threadpool> default_pool();
  // A made pool, which cannot be destroyed while the result exists; null if there is none.
  std::shared_ptr<const Threadpool> use(RTCORBA::ThreadpoolId id) const { return pools_.use(id); }

  // Provides the ORB's addresses for thread pools; see LaneHost.
  LaneHost& host() const;
  // Throws BAD_PARAM if the ORB lacks one of the transports.
  void require(const reference::ProtocolChoices& choices) const;

  // Warns once if the process may not set that priority on sockets.
  void check_socket_priority(int priority) const;

 private:
  std::shared_ptr<const Threadpool> open_pool(std::size_t stack_bytes, const RTCORBA::ThreadpoolLanes& lanes,
                                              PoolKind kind,
                                              std::shared_ptr<const server::BufferBounds> buffer,
                                              std::vector<PriorityUse> uses);
  Threadpool::Lane open_lane(const RTCORBA::ThreadpoolLane& lane, server::PoolThreads threads);
  void open_lanes(Threadpool& pool, const RTCORBA::ThreadpoolLanes& lanes,
                  const server::PoolThreads& threads);
  void run_in_each_thread(const Threadpool& pool, const std::shared_ptr<server::ThreadRound>& round,
                          std::chrono::nanoseconds bound);

  const std::shared_ptr<ThreadPriorities> priorities_;
  const ThreadPriorities::Warn warn_;
  std::atomic<LaneHost*> host_{nullptr};
  Threadpools pools_;
  os::PriorityMutex round_mutex_;            // one thread at a time may run validate_connection()
  mutable os::PriorityMutex default_mutex_;  // guards the following members
  DefaultPool default_;
  std::shared_ptr<const Threadpool> opened_default_;
  mutable std::atomic<bool> warned_of_socket_priority_{false};
};

}  // namespace takt::rt
