// Keeps clients waiting while the program makes its adapters.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include <takt/transport/acceptor.h>

#include "os/threads/priority_condition.h"
#include "os/threads/thread.h"
#include "server/concurrency.h"

namespace takt::orb {

// A server listens as soon as references to its objects can be made, and accepts connections once the gate is
// open. Until then the system keeps connections and what clients have sent on them, whatever threads serve
// later, and no more of them than its backlog has room for. Any thread.
class ServingGate {
 public:
  using Concurrency = std::shared_ptr<server::ServerConcurrency>;
  using TimePoint = std::chrono::steady_clock::time_point;

  ~ServingGate() { close({}); }
  // The strategy gets the acceptor now, or when the gate opens. Throws what adding it throws.
  void add(const Concurrency& concurrency, std::unique_ptr<transport::Acceptor> acceptor,
           giop::Messaging messaging);
  // For good. Throws what adding an acceptor throws, once all others are added.
  void open();
  // Calls it whenever the strategies have got acceptors. It must not throw. Before any is added.
  void call_when_serving(std::function<void()> serving) { serving_ = std::move(serving); }
  // Calls `over`, in a thread of its own, unless the gate is opened or closed within that time. It must not
  // throw. NO_RESOURCES where no thread is to be had.
  void call_after(std::chrono::nanoseconds time, std::function<void()> over);
  // Clients that wait for this strategy are told that nobody serves them.
  void drop(const server::ServerConcurrency& concurrency, TimePoint deadline);
  // The same for all strategies, those included that are added later.
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
