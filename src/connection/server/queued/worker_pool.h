// A thread that reads, and pools of threads that serve what it has read.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "connection/server/own_threads.h"
#include "connection/server/pool_threads.h"
#include "connection/server/queued/filter_chain.h"
#include "connection/server/request_formats.h"
#include "giop/connection.h"
#include "os/poll/shared_poll.h"

namespace takt::connection {

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
  WorkerPool(std::shared_ptr<OrbCore> core, std::unique_ptr<os::SharedPoll> poll, const PoolThreads& threads);
  // `chain` is closed.
  WorkerPool(std::shared_ptr<OrbCore> core, std::unique_ptr<os::SharedPoll> poll,
             std::shared_ptr<FilterChain> chain);
  ~WorkerPool() override;

  void add(std::unique_ptr<transport::Acceptor> acceptor, giop::Messaging messaging) override;
  // Requests in the queue are requests in progress: they are served and answered.
  void change_added_threads(unsigned most) override;
  unsigned in_each_thread(const std::shared_ptr<ThreadRound>& round) override;
  void stop(std::chrono::nanoseconds bound) override;
  std::size_t connections() const override;

  // Connections on which both sides make requests (bidirectional/bidirectional.h). Any thread; where there is
  // no room, the peer is told.
  // One that another strategy gives up at its last event, a request. `announce` gets it before that is
  // served.
  void adopt(std::unique_ptr<transport::Stream> stream, giop::Connection&& protocol,
             const RequestFormats& formats,
             const std::function<void(const std::shared_ptr<QueuedChannel>&)>& announce);
  // One that we have opened, with the service context that its first request carries. Null: no room.
  std::shared_ptr<QueuedChannel> serve_client_end(std::unique_ptr<transport::Stream> stream,
                                                  std::vector<std::uint8_t> offer);

 private:
  class Shared;
  void start();

  const std::shared_ptr<Shared> shared_;
};

}  // namespace takt::connection
