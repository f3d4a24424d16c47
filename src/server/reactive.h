// One thread for all connections: a reactor tells which has something, and upcalls run right there.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "os/reactor/reactor.h"
#include "os/threads/priority_mutex.h"
#include "server/concurrency.h"
#include "server/peer_connections.h"

namespace takt::server {

// Works in the thread that calls run_once(), one at a time. No lock per request; an upcall holds up all
// connections, so it suits short upcalls on many connections, and real time on one priority.
class ReactiveServer final : public ServerConcurrency {
 public:
  ReactiveServer(std::shared_ptr<Server> server, std::unique_ptr<os::Reactor> reactor);
  ~ReactiveServer() override;

  void add(std::unique_ptr<transport::Acceptor> acceptor, giop::Messaging messaging) override;
  bool needs_caller() const override { return true; }
  void run_once(std::chrono::nanoseconds timeout) override;
  void wake() override;
  void stop(std::chrono::nanoseconds bound) override;
  std::size_t connections() const override;

 private:
  class Listening;
  class Serving;
  struct Added {
    std::unique_ptr<transport::Acceptor> acceptor;
    giop::Messaging messaging;
  };
  void listen_to_added();
  void accept_all(transport::Acceptor& acceptor, giop::Messaging messaging) noexcept;
  void begin_serving(std::unique_ptr<transport::Stream> stream, giop::Messaging messaging);
  void drop(Serving& serving);
  void destroy_dropped();
  void sweep();

  std::shared_ptr<Server> server_;
  std::unique_ptr<os::Reactor> reactor_;
  std::vector<std::unique_ptr<Listening>> listening_;
  std::unordered_map<Serving*, std::unique_ptr<Serving>> serving_;
  PeerConnections peers_;
  Serving* first_dropped_ = nullptr;  // of a list; they stay until the reactor's round is over
  std::chrono::steady_clock::time_point next_sweep_;
  unsigned rounds_since_sweep_ = 0;
  std::atomic<bool> has_added_{false};
  os::PriorityMutex mutex_;  // add() against run_once(); never held in an upcall
  std::vector<Added> added_;
};

}  // namespace takt::server
