// A thread that reads, and pools of threads that serve what it has read.
#pragma once

#include <memory>

#include "connection/server/own_threads.h"
#include "connection/server/pool_threads.h"
#include "connection/server/queued/filter_chain.h"
#include "os/shared_poll.h"

namespace takt::connection {

// Half-sync/half-async: requests wait in a queue of bounded length, and those beyond it get TRANSIENT at once
// instead of waiting unseen in their sockets. Several requests of one connection run at the same time, so a
// client that shares a connection among its threads is served as if each had its own. A request changes
// threads once, which costs its copy, a few locks and a wake-up.
//
// With a chain of filters there are several queues, each with a pool, and the chain picks the one for each
// request (paper 000, 3.2.3, threading framework).
class WorkerPool final : public OwnThreads {
 public:
  // Both throw NO_RESOURCES if the standing threads cannot be had.
  WorkerPool(std::shared_ptr<OrbCore> core, const ServerLimits& limits, std::unique_ptr<os::SharedPoll> poll,
             const PoolThreads& threads);
  // `chain` is closed.
  WorkerPool(std::shared_ptr<OrbCore> core, const ServerLimits& limits, std::unique_ptr<os::SharedPoll> poll,
             std::shared_ptr<FilterChain> chain);
  ~WorkerPool() override;

  void add(std::unique_ptr<transport::Acceptor> acceptor) override;
  // Requests in the queue are requests in progress: they are served and answered.
  void stop(std::chrono::nanoseconds bound) override;
  std::size_t connections() const override;

 private:
  class Shared;
  void start();

  const std::shared_ptr<Shared> shared_;
};

}  // namespace takt::connection
