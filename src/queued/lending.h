// Lanes that borrow threads from lanes of lower priority (RT-CORBA 1.0, allow_borrowing).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "threads/locks/priority_mutex.h"

namespace takt::server {

class QueueWorkers;

// The lanes of one pool, which own it together. Any thread. Only join() allocates.
class Lending {
 public:
  void join(std::int16_t priority, std::shared_ptr<QueueWorkers> lane);
  void leave(const QueueWorkers& lane);

  // Takes an idle thread from a lower lane, the highest that has one, and returns that lane. The thread
  // counts as the borrower's from now on; the caller must send it there. Null: there is none.
  std::shared_ptr<QueueWorkers> lender_for(QueueWorkers& borrower);
  // The most urgent lane above `lender` in which a request waits because no thread is free. The caller must
  // help it: the lane counts on this thread from now on. Null: there is none.
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
