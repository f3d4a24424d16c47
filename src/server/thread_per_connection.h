// A thread for every connection, blocked in its read: two system calls a request, and no hand-over.
#pragma once

#include <atomic>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

#include "server/own_threads.h"

namespace takt::server {

// The threads are this object's; the caller's is never used. Costs a stack per connection, so it suits
// hundreds of connections rather than tens of thousands.
class ThreadPerConnection final : public OwnThreads {
 public:
  explicit ThreadPerConnection(std::shared_ptr<Server> server);
  ~ThreadPerConnection() override;

  void add(std::unique_ptr<transport::Acceptor> acceptor, giop::Messaging messaging) override;
  void stop(std::chrono::nanoseconds bound) override;
  std::size_t connections() const override;

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

}  // namespace takt::server
