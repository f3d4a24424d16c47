// Lanes that borrow threads from lanes of lower priority (RT-CORBA 1.0, allow_borrowing).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "os/threads/priority_mutex.h"

namespace takt::server {

class QueueWorkers;

// Those of one pool, which own it together. Any thread. Does not allocate but in join().
class Lending {
 public:
  void join(std::int16_t priority, std::shared_ptr<QueueWorkers> lane);
  void leave(const QueueWorkers& lane);

  // An idle thread of a lower lane, the highest of those that have one, is now the borrower's: it counts as
  // the borrower's, and is to be sent there with send_to(). Null: there is none.
  std::shared_ptr<QueueWorkers> lender_for(QueueWorkers& borrower);
  // The most urgent lane above this one in which a request waits for want of a thread; it counts on one of
  // the caller's from then on. Null: there is none.
  std::shared_ptr<QueueWorkers> needy_above(const QueueWorkers& lender);

 private:
  struct Lane {
    std::int16_t priority;
    std::shared_ptr<QueueWorkers> workers;
  };

  os::PriorityMutex mutex_;
  std::vector<Lane> lanes_;  // the most urgent first
};

}  // namespace takt::server
