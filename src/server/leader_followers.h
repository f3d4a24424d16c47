// A pool of threads that take turns at all connections.
#pragma once

#include <memory>

#include "os/poll/shared_poll.h"
#include "server/own_threads.h"
#include "server/pool_threads.h"

namespace takt::server {

// The thread that is given a connection's request serves it from reading to replying, while another waits in
// its place: no request goes from thread to thread, and no lock is taken for one. An upcall holds up its
// own connection and one thread. With one thread, it is a reactor of its own (paper 000, section 3.2: reactor
// per priority), and with more, leader/followers.
class LeaderFollowers final : public OwnThreads {
 public:
  // Throws NO_RESOURCES if the standing threads cannot be had.
  LeaderFollowers(std::shared_ptr<Server> server, std::unique_ptr<os::SharedPoll> poll,
                  const PoolThreads& threads);
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
