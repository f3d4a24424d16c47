// Factory of the strategies that serve an ORB's connections.
#pragma once

#include <memory>

#include "concurrency/strategy/concurrency.h"
#include "concurrency/strategy/pool_threads.h"
#include "config/settings.h"
#include "orb/server/thread_setup.h"
#include "orb/wiring/strategies.h"
#include "queued/filter_chain.h"
#include "queued/worker_pool.h"
#include "rt/orb_threadpools.h"
#include "server/request/request_urgency.h"

namespace takt::orb {

// Configured by the options. Any thread. The strategies and their threads keep the ORB alive. Throws
// INITIALIZE if no descriptor is left to wait with.
class ServerStrategies {
 public:
  // `tables` must outlive the strategies, and `urgencies` the servers. Throws BAD_PARAM for a name that is
  // not in the tables.
  ServerStrategies(const Settings& settings, const StrategyTables& tables, std::shared_ptr<ThreadSetup> setup,
                   server::RequestUrgency& urgencies);

  // Null unless requests are assigned to threads by filters. No filters can be added after usual().
  const std::shared_ptr<server::FilterChain>& filters() const { return filters_; }

  // The strategy of ServerConcurrency.
  std::unique_ptr<server::ServerConcurrency> usual(std::shared_ptr<server::Server> server) const;
  // The strategy of a lane: with a queue if the lane buffers requests, in the configured order.
  std::unique_ptr<server::ServerConcurrency> pool(std::shared_ptr<server::Server> server,
                                                  server::PoolThreads threads) const;
  // The strategy for calls that clients receive over their own connections.
  std::shared_ptr<server::WorkerPool> bidirectional_pool(std::shared_ptr<server::Server> server) const;
  // The pool for adapters that name none.
  const rt::OrbThreadpools::DefaultPool& default_pool() const { return default_pool_; }

  // Applies MaxQueuedRequests, LaneQueuedRequests and LaneQueuedOctets to existing and future queues. Throws
  // BAD_INV_ORDER if lanes were configured without queues and would now need them, or vice versa.
  void change_queues(const Settings& settings) const;

 private:
  server::PoolThreads buffered(std::size_t threads, std::shared_ptr<server::BufferBounds> queue) const;
  std::unique_ptr<server::ServerConcurrency> reactive(std::shared_ptr<server::Server> server) const;
  server::PollAndStreams waiting(server::Server& server, const server::PoolThreads& threads) const;
  void bound_queues(const Settings& settings) const;
  std::shared_ptr<server::FilterChain> make_filters(std::chrono::nanoseconds budget) const;

  const std::shared_ptr<ThreadSetup> setup_;
  server::RequestUrgency& urgencies_;
  // Null: no priorities are lent, since threads that can borrow take a lock to change their own.
  server::RequestUrgency* const urgencies_of_usual_;
  const Concurrency concurrency_;
  const ReactorKind reactor_;
  const server::RequestOrder* const order_;
  const std::shared_ptr<server::BufferBounds> queue_;                // for the server's own pool
  const std::shared_ptr<server::BufferBounds> bidirectional_queue_;  // for the pool of bidirectional calls
  const std::shared_ptr<server::BufferBounds> lane_queue_;           // null: lanes have no queue
  const std::size_t threads_, bidirectional_threads_;
  const rt::OrbThreadpools::DefaultPool default_pool_;
  const std::shared_ptr<server::FilterChain> filters_;
};

}  // namespace takt::orb
