// Delays accepting clients until the program has created its adapters.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include <takt/transport/acceptor.h>

#include "concurrency/strategy/concurrency.h"
#include "threads/locks/priority_condition.h"
#include "threads/thread.h"

namespace takt::orb {

// A server listens as soon as references to its objects can be made, but accepts connections only when the
// gate is open. Until then the system keeps connections and their data, up to its backlog, without using
// server threads. Any thread.
class ServingGate {
 public:
  using Concurrency = std::shared_ptr<server::ServerConcurrency>;
  using TimePoint = std::chrono::steady_clock::time_point;

  ~ServingGate() { close({}); }
  // Gives the acceptor to the strategy, now or when the gate opens. Passes on the strategy's exceptions.
  void add(const Concurrency& concurrency, std::unique_ptr<transport::Acceptor> acceptor,
           giop::Messaging messaging);
  // Opens the gate for good. Passes on a strategy's exception after all acceptors were added.
  void open();
  // `serving` is called whenever strategies have received acceptors. It must not throw. Call before add().
  void call_when_serving(std::function<void()> serving) { serving_ = std::move(serving); }
  // Calls `over` in a new thread, unless the gate is opened or closed within `time`. It must not throw.
  // Throws NO_RESOURCES if no thread can be started.
  void call_after(std::chrono::nanoseconds time, std::function<void()> over);
  // Rejects the clients that wait for this strategy.
  void drop(const server::ServerConcurrency& concurrency, TimePoint deadline);
  // The same for all strategies, including those that are added later.
  void close(TimePoint deadline);

 private:
  struct Waiting {
    Concurrency concurrency;
    std::unique_ptr<transport::Acceptor> acceptor;
    giop::Messaging messaging;
  };

  os::PriorityMutex mutex_;
  os::PriorityCondition changed_;
  bool open_ = false, closed_ = false;
  std::vector<Waiting> waiting_;
  os::Thread timer_;
  std::function<void()> serving_;
};

}  // namespace takt::orb
