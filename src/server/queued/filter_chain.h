// The filters that pick a request's threads, and the queues that they pick from.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include <takt/base/live_setting.h>
#include <takt/server/threading.h>

#include "os/threads/priority_mutex.h"
#include "server/pool_threads.h"
#include "server/queued/order/request_timing.h"

namespace takt::server {

// Any thread. What is in it does not change any more once it is closed.
class FilterChain {
 public:
  FilterChain(const PoolThreads& default_queue, std::chrono::nanoseconds budget);

  RequestQueueId add_queue(const RequestQueueOptions& options);
  void add_filter(std::shared_ptr<RequestFilter> filter);
  // At the end of the chain so far, what the ORB's schedule says of operations decides, where it does.
  void add_schedule();
  void close();
  // What the first queue is like.
  PoolThreads default_queue() const;
  // Closed.
  const std::vector<PoolThreads>& queues() const { return queues_; }
  // Which may change at any time.
  const LiveSetting<std::chrono::nanoseconds>& budget() const { return budget_; }
  void change_budget(std::chrono::nanoseconds budget) { budget_ = budget; }

  // Closed. `timing`: what the schedule says of it; null: nothing. Throws system exceptions, COMPLETED_NO but
  // for those of filters, which are as they were thrown.
  RequestQueueId choose(const ArrivedRequest& request, const RequestTiming* timing = nullptr);
  // It took longer than it may. Says so, once.
  void note_late();
  // Instead of choose(), when there is nobody to wait for it. TRANSIENT.
  [[noreturn]] void refuse_unfiltered();

  ThreadingFramework::Statistics statistics() const;

 private:
  void require_open() const;  // with the mutex

  LiveSetting<std::chrono::nanoseconds> budget_;
  mutable os::PriorityMutex mutex_;
  bool closed_ = false;
  std::vector<PoolThreads> queues_;
  std::vector<std::shared_ptr<RequestFilter>> filters_;  // null: the schedule
  std::atomic<std::uint64_t> chosen_{0}, passed_{0}, refused_{0}, failed_{0}, late_{0}, unfiltered_{0};
};

}  // namespace takt::server
