// A thread that reads, and pools of threads that serve what it has read.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "giop/connection.h"
#include "os/poll/shared_poll.h"
#include "server/own_threads.h"
#include "server/pool_threads.h"
#include "server/queued/filter_chain.h"
#include "server/request_formats.h"

namespace takt::server {

class QueuedChannel;

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
  WorkerPool(std::shared_ptr<Server> server, std::unique_ptr<os::SharedPoll> poll,
             const PoolThreads& threads);
  // `chain` is closed.
  WorkerPool(std::shared_ptr<Server> server, std::unique_ptr<os::SharedPoll> poll,
             std::shared_ptr<FilterChain> chain);
  ~WorkerPool() override;

  void add(std::unique_ptr<transport::Acceptor> acceptor, giop::Messaging messaging) override;
  // Requests in the queue are requests in progress: they are served and answered.
  void change_added_threads(unsigned most) override;
  unsigned in_each_thread(const std::shared_ptr<ThreadRound>& round) override;
  void stop(std::chrono::nanoseconds bound) override;
  std::size_t connections() const override;

  // Connections on which both sides make requests. Any thread; where there is no room, the peer is told.
  using Announce = std::function<void(const std::shared_ptr<QueuedChannel>&)>;
  // One that another strategy gives up at its last event, a request. `announce` gets it, and opens it both
  // ways, before that is served.
  void adopt(std::unique_ptr<transport::Stream> stream, giop::Connection&& protocol,
             const RequestFormats& formats, const Announce& announce);
  // One that we have opened; `announce` gets it, and opens it both ways, before it is read. Null: no room.
  std::shared_ptr<QueuedChannel> serve_client_end(std::unique_ptr<transport::Stream> stream,
                                                  const Announce& announce);

 private:
  class Shared;
  void start();

  const std::shared_ptr<Shared> shared_;
};

}  // namespace takt::server
