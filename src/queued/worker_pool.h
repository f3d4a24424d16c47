// A reading thread, and pools of threads that serve the requests.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "concurrency/strategy/own_threads.h"
#include "concurrency/strategy/pool_threads.h"
#include "giop/connection.h"
#include "queued/filter_chain.h"
#include "server/request/received_request.h"

namespace takt::server {

class QueuedChannel;

// Half-sync/half-async. Requests wait in a bounded queue. Requests beyond its limit get TRANSIENT at once
// instead of waiting unseen in their sockets. Several requests of a connection run at the same time, so a
// client whose threads share a connection is served as if each had its own. A request changes threads once,
// which costs a copy, a few locks and a wake-up.
//
// With a chain of filters there are several queues, each with a pool, and the chain chooses the queue for
// each request ([Schmidt 2001], 3.2.3, threading framework).
class WorkerPool final : public OwnThreads {
 public:
  // Both throw NO_RESOURCES if the static threads cannot be started.
  WorkerPool(std::shared_ptr<Server> server, PollAndStreams waiting, const PoolThreads& threads);
  // `chain` must be closed. Several threads may wait.
  WorkerPool(std::shared_ptr<Server> server, PollAndStreams waiting, std::shared_ptr<FilterChain> chain);
  ~WorkerPool() override;

  void add(std::unique_ptr<transport::Acceptor> acceptor, giop::Messaging messaging) override;
  void change_added_threads(unsigned most) override;
  unsigned in_each_thread(const std::shared_ptr<ThreadRound>& round) override;
  // Requests in the queues count as in progress: they are still served and answered.
  void stop(std::chrono::nanoseconds bound) override;
  std::size_t connections() const override;

  // For connections on which both sides make requests. Any thread. If there is no room, the peer gets
  // CloseConnection.
  using Announce = std::function<void(const std::shared_ptr<QueuedChannel>&)>;
  // Takes over a connection from another strategy; its last event is a request. Before that is served,
  // `announce` gets the channel and opens it both ways.
  void adopt(std::unique_ptr<transport::Stream> stream, giop::Connection&& protocol,
             const RequestFormats& formats, const Announce& announce);
  // Serves a connection that we have opened. Before it is read, `announce` gets the channel and opens it both
  // ways. Null: there is no room.
  std::shared_ptr<QueuedChannel> serve_client_end(std::unique_ptr<transport::Stream> stream,
                                                  const Announce& announce);

 private:
  class Shared;
  void start();

  const std::shared_ptr<Shared> shared_;
};

}  // namespace takt::server
