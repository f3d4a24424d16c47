// A thread per connection, which blocks in reading: two system calls per request, and no hand-over between
// threads.
#pragma once

#include <memory>

#include "concurrency/strategy/own_threads.h"
#include "os/poll/shared_poll.h"

namespace takt::server {

// One further thread accepts and sweeps. The caller's thread is never used. Costs a stack per connection, so
// it suits hundreds of connections rather than tens of thousands.
class ThreadPerConnection final : public OwnThreads {
 public:
  ThreadPerConnection(std::shared_ptr<Server> server, std::unique_ptr<os::SharedPoll> poll);
  ~ThreadPerConnection() override;

  // Throws NO_RESOURCES if the thread that accepts cannot be started.
  void add(std::unique_ptr<transport::Acceptor> acceptor, giop::Messaging messaging) override;
  void stop(std::chrono::nanoseconds bound) override;
  std::size_t connections() const override;

 private:
  class Serving;
  class Connections;
  const std::shared_ptr<Connections> connections_;
};

}  // namespace takt::server
