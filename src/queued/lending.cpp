#include "queued/lending.h"

#include <algorithm>
#include <functional>
#include <mutex>

#include "queued/queue_workers.h"

namespace takt::server {

void Lending::join(std::int16_t priority, std::shared_ptr<QueueWorkers> lane) {
  std::lock_guard lock(mutex_);
  const auto place = std::ranges::lower_bound(lanes_, priority, std::greater<>(), &Lane::priority);
  lanes_.insert(place, {priority, std::move(lane)});
}

void Lending::leave(const QueueWorkers& lane) {
  std::shared_ptr<QueueWorkers> last;
  std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(lanes_, &lane, [](const Lane& one) { return one.workers.get(); });
  if (found == lanes_.end()) return;
  last = std::move(found->workers);
  lanes_.erase(found);
}

std::shared_ptr<QueueWorkers> Lending::lender_for(QueueWorkers& borrower) {
  std::lock_guard lock(mutex_);
  bool below = false;
  for (const Lane& lane : lanes_) {
    if (below && lane.workers->lend_idle_thread()) {
      borrower.borrowed_thread_comes();
      return lane.workers;
    }
    below |= lane.workers.get() == &borrower;
  }
  return nullptr;
}

std::shared_ptr<QueueWorkers> Lending::needy_above(const QueueWorkers& lender) {
  std::lock_guard lock(mutex_);
  for (const Lane& lane : lanes_) {
    if (lane.workers.get() == &lender) return nullptr;
    if (lane.workers->takes_help()) return lane.workers;
  }
  return nullptr;
}

}  // namespace takt::server
