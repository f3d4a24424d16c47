// A thread for every connection, blocked in its read: two system calls a request, and no hand-over.
#pragma once

#include <memory>

#include "os/poll/shared_poll.h"
#include "server/own_threads.h"

namespace takt::server {

// One more thread accepts and sweeps; the caller's is never used. Costs a stack per connection, so it suits
// hundreds of connections rather than tens of thousands.
class ThreadPerConnection final : public OwnThreads {
 public:
  ThreadPerConnection(std::shared_ptr<Server> server, std::unique_ptr<os::SharedPoll> poll);
  ~ThreadPerConnection() override;

  // NO_RESOURCES where the thread that accepts cannot be had.
  void add(std::unique_ptr<transport::Acceptor> acceptor, giop::Messaging messaging) override;
  void stop(std::chrono::nanoseconds bound) override;
  std::size_t connections() const override;

 private:
  class Serving;
  class Connections;
  const std::shared_ptr<Connections> connections_;
};

}  // namespace takt::server
