// A pool of threads that take turns at serving all connections.
#pragma once

#include <memory>

#include "concurrency/strategy/own_threads.h"
#include "concurrency/strategy/pool_threads.h"

namespace takt::server {

// The thread that gets a ready connection reads, serves and answers its request, while another thread waits
// for the next. No request moves between threads, and none takes a lock. An upcall blocks its own connection
// and one thread. One thread makes this a reactor ([Schmidt 2001], section 3.2: reactor per priority);
// several make it leader/followers.
class LeaderFollowers final : public OwnThreads {
 public:
  // Throws NO_RESOURCES if the static threads cannot be started.
  LeaderFollowers(std::shared_ptr<Server> server, PollAndStreams waiting, const PoolThreads& threads);
  ~LeaderFollowers() override;

  void add(std::unique_ptr<transport::Acceptor> acceptor, giop::Messaging messaging) override;
  void change_added_threads(unsigned most) override;
  unsigned in_each_thread(const std::shared_ptr<ThreadRound>& round) override;
  void stop(std::chrono::nanoseconds bound) override;
  std::size_t connections() const override;

 private:
  class Serving;
  class Shared;
  const std::shared_ptr<Shared> shared_;
};

}  // namespace takt::server
