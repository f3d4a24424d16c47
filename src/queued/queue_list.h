// The interface through which a server's queues of requests become known to an observer.
#pragma once

namespace takt::server {

class QueueWorkers;

// Any thread. Neither function throws.
class QueueList {
 public:
  virtual ~QueueList() = default;
  // The queue stays valid until remove() returns.
  virtual void add(const QueueWorkers& queue) noexcept = 0;
  virtual void remove(const QueueWorkers& queue) noexcept = 0;
};

}  // namespace takt::server
