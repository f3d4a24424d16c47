// Requests that wait for a thread, and the threads that wait for requests.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "os/threads/priority_mutex.h"
#include "os/threads/semaphore.h"
#include "server/pool_threads.h"
#include "server/queued/order/request_order.h"
#include "server/queued/queued_request.h"

namespace takt::server {

class QueueWorkers;

// In the order of QueueOrder; those that it does not tell apart as they came. Taking and giving one is
// logarithmic in how many wait, and the memory of requests that have been served is used for others. Any
// thread.
class RequestQueue {
 public:
  explicit RequestQueue(std::shared_ptr<const BufferBounds> bounds, QueueOrder order = QueueOrder::temporal);

  // A thread will come to pop(), or will not any more. It counts as idle from then on, except while it has
  // what pop() gave it.
  void thread_comes() { idle_.fetch_add(1); }
  void thread_goes() { idle_.fetch_sub(1); }
  // Goes, unless a request or an errand counts on it that came when pop() had given up, or no other idle
  // thread would be there for a start time that comes.
  bool thread_may_go();

  // One to fill in. Allocates while there have never been so many, and where more than 64 are used at once.
  std::unique_ptr<QueuedRequest> blank();
  // Null: a thread will take it, once its start time has come. Otherwise the bounds leave no room for it, and
  // it comes back, or another one that has waited and is of a lower class (docs/user/qos.md): that gives its
  // place. Where it throws std::bad_alloc, the request is gone and nothing else has changed.
  std::unique_ptr<QueuedRequest> push(std::unique_ptr<QueuedRequest> request);
  // The thread that has served it is idle again, before it comes back to pop().
  void give_back(std::unique_ptr<QueuedRequest> served);

  // What a thread is to do next: one of the two, or neither.
  struct Task {
    std::unique_ptr<QueuedRequest> request;
    std::shared_ptr<QueueWorkers> errand;  // to be helped
    bool lacks_threads = false;            // for requests whose start time came or will come
    explicit operator bool() const { return request || errand; }
  };
  // Waits so long at most, and gives back the one that was served before, if there is one.
  Task pop(std::unique_ptr<QueuedRequest> served, std::chrono::nanoseconds timeout);
  // The same for a thread of another lane: no waiting, and no errands, which are for the queue's own.
  std::unique_ptr<QueuedRequest> pop_for_other();
  // So many pop()s that wait return at once, with nothing if there is nothing.
  void wake(unsigned threads);
  // Every pop() returns at once from now on, with what is left.
  void wake_permanently(unsigned threads);

  // An idle thread, of which no request needs to be taken, does not count as idle any more: it will be sent
  // on an errand. False: there is none.
  bool promise_thread();
  void send(std::shared_ptr<QueueWorkers> errand);
  // A request waits for which there is no thread; the caller is one, from now on. False: none does.
  bool come_if_needed();

  // A request waits for which there is no thread.
  bool starving() const;
  // A further request would wait.
  bool all_busy() const;
  bool empty() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Waiting {
    Rank rank;
    std::uint32_t importance;
    std::uint64_t number;  // as they came
    std::unique_ptr<QueuedRequest> request;
    bool operator<(const Waiting& other) const {  // of a heap, whose greatest is the first
      if (rank != other.rank) return rank > other.rank;
      return importance != other.importance ? importance < other.importance : number > other.number;
    }
  };
  // A request whose start time has not come. An idle thread waits for the first of them; busy threads look
  // when they take their next request.
  struct Early {
    Clock::time_point start;
    std::uint64_t number;
    std::unique_ptr<QueuedRequest> request;
    bool operator<(const Early& other) const {
      return start != other.start ? start > other.start : number > other.number;
    }
  };

  bool is_unwatched() const { return !early_.empty() && early_.front().start < watched_until_; }
  bool has_room(const QueuedRequest& request) const { return has_room(request, nullptr); }
  bool has_room(const QueuedRequest& request, const QueuedRequest* in_place_of) const;
  std::unique_ptr<QueuedRequest> take_place(std::unique_ptr<QueuedRequest> request);
  void insert(std::unique_ptr<QueuedRequest> request);
  std::unique_ptr<QueuedRequest> hold_until_start(std::unique_ptr<QueuedRequest> request);
  void make_room();
  void ask_for_watch();
  bool release_started(Clock::time_point now);
  bool await_task(std::chrono::nanoseconds timeout);
  bool lacks_threads() const;
  bool take_spare_thread();
  std::unique_ptr<QueuedRequest> take_first();
  void keep(std::unique_ptr<QueuedRequest> served);

  const std::shared_ptr<const BufferBounds> bounds_;
  const RequestOrder& order_;
  os::Semaphore ready_;       // as many as there are requests and errands
  std::atomic<int> idle_{0};  // threads
  std::atomic<bool> awake_{false};
  mutable os::PriorityMutex mutex_;
  std::vector<Waiting> waiting_;  // a heap
  std::vector<Early> early_;      // likewise
  std::atomic<std::size_t> early_count_{0};
  Clock::time_point watched_until_ = RequestTimes::never;  // when a waiting thread looks at them; never: none
  bool watch_asked_ = false;                               // an idle thread has been woken to do so
  std::vector<std::unique_ptr<QueuedRequest>> blanks_;
  std::vector<std::shared_ptr<QueueWorkers>> errands_;
  std::uint64_t next_number_ = 0;
  std::size_t octets_ = 0;
  std::size_t oneways_ = 0;  // of what waits
};

}  // namespace takt::server
