// One thread for all connections: a reactor reports ready connections, and upcalls run in its thread.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include <takt/transport/stream_wrapper.h>

#include "concurrency/connections/connection_set.h"
#include "concurrency/strategy/concurrency.h"
#include "os/reactor/reactor.h"

namespace takt::server {

// A reactor and its streams: `streams` puts the reactor's own streams around those that it knows; null: it
// has none.
struct ReactorAndStreams {
  std::unique_ptr<os::Reactor> reactor;
  std::unique_ptr<const transport::StreamWrapper> streams;
};

// Works in the thread that calls run_once(), one at a time. Takes no lock per request. An upcall blocks all
// connections, so it suits short upcalls on many connections, and real time with one priority.
class ReactiveServer final : public ServerConcurrency, private ConnectionSet {
 public:
  ReactiveServer(std::shared_ptr<Server> all, ReactorAndStreams waiting);
  ~ReactiveServer() override;

  void add(std::unique_ptr<transport::Acceptor> acceptor, giop::Messaging messaging) override;
  bool needs_caller() const override { return true; }
  void run_once(std::chrono::nanoseconds timeout) override;
  void rest() override { reactor_->flush(); }
  void wake() override;
  void stop(std::chrono::nanoseconds bound) override;
  void cut() override;
  std::size_t connections() const override { return ConnectionSet::connections(); }

 private:
  class Listening;
  class Serving;
  class Turns;

  bool watch(Listener& listener) override;
  void unwatch(Listener& listener) override;
  std::shared_ptr<ServedConnection> make(std::unique_ptr<transport::Stream> stream,
                                         const giop::Messaging& messaging) override;
  void before_sweep() override { reactor_->flush(); }
  void end_threads() override;

  std::vector<std::unique_ptr<Listening>> take_added();
  void listen_to_added();
  void drop(Serving& serving);
  void destroy_dropped();

  const std::unique_ptr<os::Reactor> reactor_;
  const std::unique_ptr<const transport::StreamWrapper> streams_;
  const std::unique_ptr<Turns> turns_;
  std::shared_ptr<Serving> first_dropped_;  // head of a list; they are kept until the reactor's round is over
  unsigned rounds_since_sweep_ = 0;
  std::atomic<bool> has_added_{false};
  std::vector<std::unique_ptr<Listening>> added_;  // not listened to yet; guarded by the mutex
};

}  // namespace takt::server
