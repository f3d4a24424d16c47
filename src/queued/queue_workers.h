// A queue of requests, and the threads that serve it.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>

#include <takt/base/live_setting.h>
#include <takt/server/reply_buffer.h>

#include "concurrency/strategy/pool_threads.h"
#include "concurrency/strategy/thread_round.h"
#include "queued/queued_request.h"
#include "queued/request_queue.h"
#include "server/server.h"
#include "threads/locks/priority_condition.h"
#include "threads/locks/priority_mutex.h"
#include "threads/scheduling/scheduling.h"

namespace takt::server {

// Any thread. A thread whose upcall does not return may outlive the ORB's shutdown, and keeps the `keeper`
// alive until then.
class QueueWorkers {
 public:
  // `threads` must have a buffer. `server` must live as long as the keeper.
  QueueWorkers(const PoolThreads& threads, const Server& server);
  ~QueueWorkers();
  QueueWorkers(const QueueWorkers&) = delete;
  QueueWorkers& operator=(const QueueWorkers&) = delete;

  // Starts the static threads; returns an errno value, or 0. The keeper owns this object and everything that
  // its requests need.
  int start(const std::shared_ptr<void>& keeper);
  unsigned standing() const { return threads_.standing; }
  const PoolThreads& options() const { return threads_; }
  unsigned running() const;
  const RequestQueue& requests() const { return requests_; }
  // Like ServerConcurrency::in_each_thread().
  unsigned in_each_thread(const std::shared_ptr<ThreadRound>& round);
  // Sets the limit of dynamic threads. Threads above it end when they are idle.
  void change_added_threads(unsigned most) { most_added_ = most; }

  std::unique_ptr<QueuedRequest> blank() { return requests_.blank(); }
  // False: there was no free thread and no room in the queue, and the request was refused with TRANSIENT.
  bool queue(std::unique_ptr<QueuedRequest> request);

  // Call when nothing will be queued any more: threads end when the queue is empty.
  void finish();
  // Waits until all threads have ended. False: an upcall still runs at the deadline.
  bool ended_by(std::chrono::steady_clock::time_point deadline);

  // For Lending, whose lock is taken before the locks of this object.
  bool lend_idle_thread() { return requests_.promise_thread(); }
  void borrowed_thread_comes() { requests_.thread_comes(); }
  bool takes_help() { return requests_.come_if_needed(); }

 private:
  std::shared_ptr<QueueWorkers> self();
  int start_thread(bool standing);
  std::optional<os::Scheduling> scheduling_of_added() const;
  void add_thread();
  void add_thread_if_starving();
  void get_help();
  void work(bool standing, ReplyBuffer& reply);
  void begin(const RequestQueue::Task& task, os::SharedLoan::Borrowing& borrowing);
  void count(bool standing, int by);
  void join_round(std::uint32_t& seen, std::unique_ptr<QueuedRequest>& served);
  void help(QueueWorkers& needy, ReplyBuffer& reply);
  bool help_those_above(ReplyBuffer& reply);
  void serve_for_other(ReplyBuffer& reply);

  const PoolThreads threads_;
  const Server& server_;
  ThreadRounds rounds_;
  LiveSetting<unsigned> most_added_ = threads_.added;
  RequestQueue requests_;
  std::weak_ptr<void> keeper_;
  os::Scheduling found_;             // at which the static threads began
  mutable os::PriorityMutex mutex_;  // guards the next members; never held while a request is served
  os::PriorityCondition changed_;
  unsigned running_ = 0;  // number of threads
  unsigned added_ = 0;    // dynamic threads among them
  std::atomic<bool> over_{false};
};

}  // namespace takt::server
