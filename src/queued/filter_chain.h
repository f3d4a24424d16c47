// The filters that choose a request's threads, and the queues from which they choose.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include <takt/base/live_setting.h>
#include <takt/server/threading.h>

#include "concurrency/strategy/pool_threads.h"
#include "queued/request_timing.h"
#include "threads/locks/priority_mutex.h"

namespace takt::server {

// Any thread. The filters and queues do not change after close().
class FilterChain {
 public:
  FilterChain(const PoolThreads& default_queue, std::chrono::nanoseconds budget);

  RequestQueueId add_queue(const RequestQueueOptions& options);
  void add_filter(std::shared_ptr<RequestFilter> filter);
  // Appends a filter that chooses the queue given by the ORB's schedule, if the schedule gives one for the
  // operation.
  void add_schedule();
  void close();
  // Options of the default queue.
  PoolThreads default_queue() const;
  // Call after close().
  const std::vector<PoolThreads>& queues() const { return queues_; }
  // The budget may change at any time.
  const LiveSetting<std::chrono::nanoseconds>& budget() const { return budget_; }
  void change_budget(std::chrono::nanoseconds budget) { budget_ = budget; }

  // Call after close(). `timing`: the operation's timing in the schedule; null: none. Throws system
  // exceptions: those of filters as thrown, others with COMPLETED_NO.
  RequestQueueId choose(const ArrivedRequest& request, const RequestTiming* timing = nullptr);
  // Counts a filter that took longer than its budget. Returns a report of the first; empty for later ones.
  std::string note_late();
  // Call instead of choose() when too many readers are held up. Throws TRANSIENT.
  [[noreturn]] void refuse_unfiltered();

  ThreadingFramework::Statistics statistics() const;

 private:
  void require_open() const;  // call with the mutex

  LiveSetting<std::chrono::nanoseconds> budget_;
  mutable os::PriorityMutex mutex_;
  bool closed_ = false;
  std::vector<PoolThreads> queues_;
  std::vector<std::shared_ptr<RequestFilter>> filters_;  // null: the schedule
  std::atomic<std::uint64_t> chosen_{0}, passed_{0}, refused_{0}, failed_{0}, late_{0}, unfiltered_{0};
};

}  // namespace takt::server
