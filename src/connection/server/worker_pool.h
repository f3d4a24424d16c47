// A thread that reads, and a pool of threads that serve what it has read.
#pragma once

#include <memory>

#include "connection/server/own_threads.h"
#include "connection/server/pool_threads.h"
#include "os/shared_poll.h"

namespace takt::connection {

// Half-sync/half-async: requests wait in a queue of bounded length, and those beyond it get TRANSIENT at once
// instead of waiting unseen in their sockets. Several requests of one connection run at the same time, so a
// client that shares a connection among its threads is served as if each had its own. A request changes
// threads once, which costs its copy, a few locks and a wake-up.
class WorkerPool final : public OwnThreads {
 public:
  // Throws NO_RESOURCES if the standing threads cannot be had.
  WorkerPool(std::shared_ptr<OrbCore> core, const ServerLimits& limits, std::unique_ptr<os::SharedPoll> poll,
             const PoolThreads& threads);
  ~WorkerPool() override;

  void add(std::unique_ptr<transport::Acceptor> acceptor) override;
  // Requests in the queue are requests in progress: they are served and answered.
  void stop(std::chrono::nanoseconds bound) override;
  std::size_t connections() const override;

 private:
  struct Shared;
  const std::shared_ptr<Shared> shared_;
};

}  // namespace takt::connection
