// Requests that wait for a thread, and the threads that wait for requests.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "concurrency/strategy/pool_threads.h"
#include "queued/order/request_order.h"
#include "queued/queued_request.h"
#include "threads/locks/priority_mutex.h"
#include "threads/locks/semaphore.h"
#include "threads/scheduling/shared_loan.h"

namespace takt::server {

class QueueWorkers;

// Ordered by a RequestOrder; equal requests in order of arrival. If the order compares nothing, urgent
// requests are first. push() and pop() take logarithmic time in the number of waiting requests. The memory of
// served requests is reused. Any thread. It is large because its limits and what it counts are members, under
// its one lock.
class RequestQueue {
 public:
  // `order` must outlive the queue.
  explicit RequestQueue(std::shared_ptr<const BufferBounds> bounds,
                        const RequestOrder& order = request_order(QueueOrder::temporal));

  // A thread will call pop(), or will not any more. In between it counts as idle, except while it has a
  // result of pop().
  void thread_comes() { idle_.fetch_add(1); }
  void thread_goes() { idle_.fetch_sub(1); }
  // Like thread_goes(), but returns false if the thread must stay. It must stay if a request or errand that
  // came after pop() had given up counts on it. It must also stay if it is the last idle thread and a start
  // time will come.
  bool thread_may_go();

  // An empty request to fill in. Allocates if none is left for reuse; at most 64 are kept.
  std::unique_ptr<QueuedRequest> blank();
  // Null: a thread will take the request, after its start time. If the limits leave no room, returns the
  // request that must be refused: this one, or one of a lower class, or of a sender with more requests in the
  // queue, which has given up its place (docs/user/qos.md). If it throws std::bad_alloc, the request is gone
  // and nothing else has changed.
  std::unique_ptr<QueuedRequest> push(std::unique_ptr<QueuedRequest> request);
  // The thread that serves the request will call pop() once the answer has left: from now on there is room
  // for a request that it can take. Call before the answer leaves, because the client's next request may come
  // at once, and must find room. The thread is still busy, so that others may be added or borrowed.
  void thread_is_ready(QueuedRequest& served) {
    served.note_thread_is_ready();
    answering_.fetch_add(1);
  }
  // Returns a served request for reuse. The calling thread counts as idle again before it calls pop().
  void give_back(std::unique_ptr<QueuedRequest> served);

  // A thread's next task: a request, an errand, or nothing.
  struct Task {
    std::unique_ptr<QueuedRequest> request;
    std::shared_ptr<QueueWorkers> errand;  // another lane to help
    bool lacks_threads = false;            // for requests whose start time came or will come
    explicit operator bool() const { return request || errand; }
  };
  // Takes the next task, waiting for at most `timeout`. Also returns `served` for reuse; it may be null.
  Task pop(std::unique_ptr<QueuedRequest> served, std::chrono::nanoseconds timeout);
  // The same for a thread of another lane, without waiting. Takes no errands, because these are for the
  // queue's own threads.
  std::unique_ptr<QueuedRequest> pop_for_other();
  // The loan to the threads by requests that wait. The thread that begins an urgent one takes back its part.
  os::SharedLoan& loan() { return loan_; }
  // Makes this number of waiting pop() calls return at once, even without a task.
  void wake(unsigned threads);
  // From now on each pop() returns at once, with a remaining task if any.
  void wake_permanently(unsigned threads);

  // Reserves an idle thread that no waiting request needs. It no longer counts as idle; the caller must send
  // it an errand. False: there is none.
  bool promise_thread();
  void send(std::shared_ptr<QueueWorkers> errand);
  // If a request waits and no idle thread is left for it, counts the caller as an idle thread. False: there
  // is no such request.
  bool come_if_needed();

  // Whether a request waits and no idle thread is left for it.
  bool starving() const;
  // Whether a further request would have to wait.
  bool all_busy() const;
  bool empty() const;

  using Clock = std::chrono::steady_clock;
  struct State {
    std::size_t waiting = 0;                              // requests that wait for a thread
    std::size_t early = 0;                                // requests whose start time has not come
    std::size_t octets = 0;                               // size of both kinds together
    Clock::time_point oldest = Clock::time_point::max();  // arrival of the oldest waiting one; max: none
  };
  // Takes time in the number of waiting requests, with the queue's lock.
  State state() const;

 private:
  struct Waiting {
    Rank rank;
    std::uint32_t importance;
    std::uint64_t number;  // order of arrival
    std::unique_ptr<QueuedRequest> request;
    bool operator<(const Waiting& other) const {  // for a heap, whose greatest element is served first
      if (rank != other.rank) return rank > other.rank;
      return importance != other.importance ? importance < other.importance : number > other.number;
    }
  };
  // A request whose start time has not come. An idle thread waits for the earliest start time. Busy threads
  // check it when they take their next request.
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
  Waiting* of_lower_class(const QueuedRequest& request);
  Waiting* of_sender_with_more(const QueuedRequest& request);
  std::pair<Rank, std::uint32_t> standing_of(const QueuedRequest& request) const;
  void insert(std::unique_ptr<QueuedRequest> request);
  void count_idle_again(const QueuedRequest* served);
  std::unique_ptr<QueuedRequest> hold_until_start(std::unique_ptr<QueuedRequest> request);
  bool has_room_early(const QueuedRequest& request, const QueuedRequest* in_place_of = nullptr) const;
  Early* early_of_sender_with_more(const QueuedRequest& request);
  std::unique_ptr<QueuedRequest> take_early(Early& place);
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
  const bool ranks_, heeds_importance_;  // the order compares something; importance decides between equals
  os::Semaphore ready_;                  // count: number of requests and errands
  std::atomic<int> idle_{0};             // number of idle threads
  std::atomic<int> answering_{0};        // number of threads of which thread_is_ready() was said
  std::atomic<bool> awake_{false};
  os::SharedLoan loan_;
  mutable os::PriorityMutex mutex_;
  std::vector<Waiting> waiting_;  // a heap
  std::vector<Early> early_;      // a heap
  std::atomic<std::size_t> early_count_{0};
  Clock::time_point watched_until_ = RequestTimes::never;  // when a waiting thread checks early_; never: none
  bool watch_asked_ = false;                               // an idle thread was woken to watch early_
  std::vector<std::unique_ptr<QueuedRequest>> blanks_;
  std::vector<std::shared_ptr<QueueWorkers>> errands_;
  std::uint64_t next_number_ = 0;
  std::size_t octets_ = 0;        // size of the requests in waiting_
  std::size_t oneways_ = 0;       // number of oneways in waiting_
  std::size_t early_octets_ = 0;  // size of the requests in early_
};

}  // namespace takt::server
