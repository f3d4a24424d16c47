// The counts and queues of an ORB that operators may see while it serves.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "adapter/upcalls/counting_dispatcher.h"
#include "os/time/ticks.h"
#include "queued/queue_list.h"
#include "threads/locks/priority_mutex.h"

namespace takt::admin {

// Owned by the ORB's parts, because threads of queues may outlive the ORB's shutdown. Any thread.
class Observation final : public server::QueueList {
 public:
  // `steps`: the log of time probes; null if calls are not probed. Must outlive it.
  Observation(adapter::ObjectAdapter& adapter, StepLog* steps);

  const os::TickRate rate;
  const std::unique_ptr<adapter::CountingDispatcher> dispatcher;

  void add(const server::QueueWorkers& queue) noexcept override;
  void remove(const server::QueueWorkers& queue) noexcept override;
  // Calls `act` for each queue, with a lock that only its beginning and its end also take.
  void for_each_queue(const std::function<void(const server::QueueWorkers&)>& act) const;

 private:
  mutable os::PriorityMutex mutex_;
  std::vector<const server::QueueWorkers*> queues_;
};

}  // namespace takt::admin
