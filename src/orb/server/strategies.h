// Which threads serve an ORB's connections.
#pragma once

#include <memory>

#include "orb/config/settings.h"
#include "orb/server/thread_setup.h"
#include "rt/real_time.h"
#include "server/concurrency.h"
#include "server/queued/filter_chain.h"
#include "server/queued/worker_pool.h"

namespace takt::orb {

// As the options say: the factory of the server's strategies. Any thread. What it makes owns the ORB, and so
// do its threads. INITIALIZE where no descriptor is left to wait with.
class ServerStrategies {
 public:
  ServerStrategies(const Settings& settings, std::shared_ptr<ThreadSetup> setup);

  // Null unless requests are given to threads by filters; closed to further ones from usual() on.
  const std::shared_ptr<server::FilterChain>& filters() const { return filters_; }

  // ServerConcurrency.
  std::unique_ptr<server::ServerConcurrency> usual(std::shared_ptr<server::Server> server) const;
  // Of a lane: with a queue if it buffers requests, in the order of the others.
  std::unique_ptr<server::ServerConcurrency> pool(std::shared_ptr<server::Server> server,
                                                  server::PoolThreads threads) const;
  // Of the calls that clients get by their own connections.
  std::shared_ptr<server::WorkerPool> both_ways(std::shared_ptr<server::Server> server) const;
  // Of adapters that name no pool.
  const rt::RealTime::DefaultPool& default_pool() const { return default_pool_; }

  // MaxQueuedRequests, LaneQueuedRequests and LaneQueuedOctets, of queues that there are and of those to
  // come. BAD_INV_ORDER where the lanes have been configured without queues, and for settings that have none.
  void change_queues(const Settings& settings) const;

 private:
  server::PoolThreads buffered(std::size_t threads, std::shared_ptr<server::BufferBounds> queue) const;
  void bound_queues(const Settings& settings) const;
  std::shared_ptr<server::FilterChain> make_filters(std::chrono::nanoseconds budget) const;

  const std::shared_ptr<ThreadSetup> setup_;
  const Concurrency concurrency_;
  const QueueOrder order_;
  const std::shared_ptr<server::BufferBounds> queue_;            // of the server's own pool,
  const std::shared_ptr<server::BufferBounds> both_ways_queue_;  // and of the one for both ways
  const std::shared_ptr<server::BufferBounds> lane_queue_;       // null: Lanes have none
  const std::size_t threads_, both_ways_threads_;
  const rt::RealTime::DefaultPool default_pool_;
  const std::shared_ptr<server::FilterChain> filters_;
};

}  // namespace takt::orb
