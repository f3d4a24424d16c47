#include "admin/observation.h"

#include <mutex>
#include <new>

namespace takt::admin {

Observation::Observation(adapter::ObjectAdapter& adapter, StepLog* steps)
    : dispatcher(steps ? std::make_unique<adapter::ProbedCountingDispatcher>(adapter, *steps)
                       : std::make_unique<adapter::CountingDispatcher>(adapter)) {}

// Without memory, the queue is not observed.
void Observation::add(const server::QueueWorkers& queue) noexcept {
  try {
    const std::lock_guard lock(mutex_);
    queues_.push_back(&queue);
  } catch (const std::bad_alloc&) {
  }
}

void Observation::remove(const server::QueueWorkers& queue) noexcept {
  const std::lock_guard lock(mutex_);
  std::erase(queues_, &queue);
}

void Observation::for_each_queue(const std::function<void(const server::QueueWorkers&)>& act) const {
  const std::lock_guard lock(mutex_);
  for (const server::QueueWorkers* const queue : queues_) act(*queue);
}

}  // namespace takt::admin
