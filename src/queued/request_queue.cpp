#include "queued/request_queue.h"

#include <algorithm>
#include <mutex>
#include <tuple>
#include <utility>

#include "queued/class_rank.h"

namespace takt::server {

namespace {
// Limit of a request's memory that is kept for reuse.
constexpr std::size_t keep_octets = 64 * 1024;
constexpr std::size_t first_requests = 64;
}  // namespace

RequestQueue::RequestQueue(std::shared_ptr<const BufferBounds> bounds, const RequestOrder& order)
    : bounds_(std::move(bounds)),
      order_(order),
      ranks_(&order != &request_order(QueueOrder::temporal)),
      heeds_importance_(order.heeds_importance()) {
  waiting_.reserve(first_requests);
  blanks_.reserve(first_requests);
  errands_.reserve(first_requests);
}

std::unique_ptr<QueuedRequest> RequestQueue::blank() {
  {
    std::lock_guard lock(mutex_);
    if (!blanks_.empty()) {
      auto blank = std::move(blanks_.back());
      blanks_.pop_back();
      return blank;
    }
  }
  return std::make_unique<QueuedRequest>();
}

// Requests that idle threads are about to take do not count as buffered.
bool RequestQueue::has_room(const QueuedRequest& request, const QueuedRequest* in_place_of) const {
  const int ready = answering_.load() + idle_.load();  // in this order; see count_idle_again()
  const auto idle = static_cast<std::size_t>(std::max(0, ready));
  const std::size_t leaving = in_place_of ? 1 : 0;
  const std::size_t count = waiting_.size() - leaving;
  if (count < idle) return true;
  const std::size_t octets = octets_ - (in_place_of ? in_place_of->octets() : 0);
  const std::size_t most_octets = bounds_->octets;
  if (most_octets != 0 && octets + request.octets() > most_octets) return false;
  const std::size_t most_oneways = bounds_->more_oneways;
  if (most_oneways == 0) return count - idle < bounds_->requests;
  const std::size_t oneways =
      oneways_ - (in_place_of && !in_place_of->context().response_expected ? leaving : 0);
  if (!request.context().response_expected) return oneways < most_oneways;
  return count - oneways < idle + bounds_->requests;
}

std::unique_ptr<QueuedRequest> RequestQueue::push(std::unique_ptr<QueuedRequest> request) {
  if (request->times().start > Clock::now()) [[unlikely]]
    return hold_until_start(std::move(request));
  {
    std::lock_guard lock(mutex_);
    if (!has_room(*request)) return take_place(std::move(request));
    insert(std::move(request));
  }
  ready_.release();
  return nullptr;
}

// Call with the mutex.
void RequestQueue::insert(std::unique_ptr<QueuedRequest> request) {
  make_room();
  octets_ += request->octets();
  oneways_ += request->context().response_expected ? 0 : 1;
  request->begin(&SenderCounts::waiting);
  if (request->urgency() != 0) loan_.change(0, request->urgency());
  const auto [rank, importance] = standing_of(*request);
  waiting_.push_back({rank, importance, next_number_++, std::move(request)});
  std::push_heap(waiting_.begin(), waiting_.end());
}

// By which the queue compares it with others; requests that are equal go in order of arrival.
std::pair<Rank, std::uint32_t> RequestQueue::standing_of(const QueuedRequest& request) const {
  return {ranks_ ? order_.rank_of(request.as_waiting()) : Rank{.first = -request.urgency()},
          heeds_importance_ ? request.importance() : 0};
}

// Call with the mutex. The waiting request of a lower class that gives its place to this one: of the lowest
// class, then the least important, then the latest. Null: there is none whose place is large enough.
RequestQueue::Waiting* RequestQueue::of_lower_class(const QueuedRequest& request) {
  const int rank = class_rank(request.communication());
  const auto standing = [](const Waiting& one) {
    return std::tuple(class_rank(one.request->communication()), one.request->importance(), ~one.number);
  };
  Waiting* least = nullptr;
  for (Waiting& one : waiting_)
    if (class_rank(one.request->communication()) < rank && has_room(request, one.request.get()) &&
        (!least || standing(one) < standing(*least)))
      least = &one;
  return least;
}

// Call with the mutex. The same of equal class: the latest of the sender that has most in the queue, and two
// more than this one's at least. Requests that the queue's order puts before this one keep their places, and
// so do those without a reply, whose callers would not learn of it and may have been told that they came.
RequestQueue::Waiting* RequestQueue::of_sender_with_more(const QueuedRequest& request) {
  const int rank = class_rank(request.communication());
  const auto [own_rank, own_importance] = standing_of(request);
  std::uint32_t most = request.of_sender(&SenderCounts::waiting) + 1;
  Waiting* found = nullptr;
  for (Waiting& one : waiting_) {
    const std::uint32_t waiting = one.request->of_sender(&SenderCounts::waiting);
    if (waiting < most || (waiting == most && (!found || one.number < found->number))) continue;
    const bool goes_first = one.rank != own_rank ? one.rank < own_rank : one.importance > own_importance;
    if (goes_first || !one.request->context().response_expected ||
        class_rank(one.request->communication()) != rank || !has_room(request, one.request.get()))
      continue;
    most = waiting;
    found = &one;
  }
  return found;
}

// Call with the mutex. Replaces a waiting request, and returns it, or the new one if none gives up its place.
// The new request uses the wake-up that was sent for the old one.
std::unique_ptr<QueuedRequest> RequestQueue::take_place(std::unique_ptr<QueuedRequest> request) {
  Waiting* place = of_lower_class(*request);
  if (!place) place = of_sender_with_more(*request);
  if (!place) return request;
  auto gone = std::exchange(place->request, nullptr);
  gone->end(&SenderCounts::waiting);
  if (gone->urgency() != 0) loan_.change(gone->urgency(), 0);
  octets_ -= gone->octets();
  oneways_ -= gone->context().response_expected ? 0 : 1;
  *place = std::move(waiting_.back());
  waiting_.pop_back();
  std::make_heap(waiting_.begin(), waiting_.end());
  insert(std::move(request));
  return gone;
}

std::unique_ptr<QueuedRequest> RequestQueue::hold_until_start(std::unique_ptr<QueuedRequest> request) {
  std::lock_guard lock(mutex_);
  if (awake_) return request;
  make_room();
  std::unique_ptr<QueuedRequest> gone;
  if (!has_room_early(*request)) {
    Early* const place = early_of_sender_with_more(*request);
    if (!place) return request;
    gone = take_early(*place);
    std::make_heap(early_.begin(), early_.end());
  }
  const auto start = request->times().start;
  early_.push_back({start, next_number_++, std::move(request)});
  early_octets_ += early_.back().request->octets();
  early_.back().request->begin(&SenderCounts::early);
  std::push_heap(early_.begin(), early_.end());
  early_count_.store(early_.size());
  ask_for_watch();
  return gone;
}

// Early requests have limits of their own, as high as those of requests that wait for a thread. So neither
// kind takes the places of the other.
bool RequestQueue::has_room_early(const QueuedRequest& request, const QueuedRequest* in_place_of) const {
  const std::size_t count = early_.size() - (in_place_of ? 1 : 0);
  const std::size_t octets = early_octets_ - (in_place_of ? in_place_of->octets() : 0);
  const std::size_t most_octets = bounds_->octets;
  return count < bounds_->requests && (most_octets == 0 || octets + request.octets() <= most_octets);
}

// Call with the mutex. The early request that gives its place to this one: the last to start of the sender
// that has most of them, and two more than this one's at least. Requests of a higher class and those without
// a reply keep their places. Null: there is none whose place is large enough.
RequestQueue::Early* RequestQueue::early_of_sender_with_more(const QueuedRequest& request) {
  const int rank = class_rank(request.communication());
  std::uint32_t most = request.of_sender(&SenderCounts::early) + 1;
  Early* found = nullptr;
  for (Early& one : early_) {
    const std::uint32_t early = one.request->of_sender(&SenderCounts::early);
    if (early < most || (early == most && (!found || *found < one))) continue;
    if (!one.request->context().response_expected || class_rank(one.request->communication()) > rank ||
        !has_room_early(request, one.request.get()))
      continue;
    most = early;
    found = &one;
  }
  return found;
}

// Call with the mutex. Takes the request out of early_, which is no heap until the caller makes it one.
std::unique_ptr<QueuedRequest> RequestQueue::take_early(Early& place) {
  auto request = std::exchange(place.request, nullptr);
  if (&place != &early_.back()) place = std::move(early_.back());
  early_.pop_back();
  early_count_.store(early_.size());
  early_octets_ -= request->octets();
  request->end(&SenderCounts::early);
  return request;
}

// Call with the mutex. Reserves memory for one more request, and for all in early_, because moving these must
// not fail.
void RequestQueue::make_room() {
  const std::size_t needed = waiting_.size() + early_.size() + 1;
  if (needed > waiting_.capacity()) waiting_.reserve(std::max(needed, 2 * waiting_.size()));
}

// Call with the mutex. Wakes an idle thread to watch early_. If no thread is idle, busy threads check early_
// themselves.
void RequestQueue::ask_for_watch() {
  if (!is_unwatched() || watch_asked_ ||
      std::cmp_less_equal(idle_.load(std::memory_order_relaxed), waiting_.size()))
    return;
  watch_asked_ = true;
  ready_.release();
}

// Call with the mutex. Moves requests whose start time has come to waiting_; false: there are none. After
// wake_permanently() it moves all, and requests that are still too early are refused.
bool RequestQueue::release_started(Clock::time_point now) {
  bool released = false;
  while (!early_.empty() && (awake_ || early_.front().start <= now)) {
    std::pop_heap(early_.begin(), early_.end());
    insert(take_early(early_.back()));
    ready_.release();
    released = true;
  }
  return released;
}

// Waits for a task. False: nothing came within the timeout, or before the first start time.
bool RequestQueue::await_task(std::chrono::nanoseconds timeout) {
  if (early_count_.load() == 0) [[likely]]
    return awake_.load() || ready_.acquire_within(timeout);
  const auto now = Clock::now();
  auto until = now + timeout;
  bool watches = false;
  {
    std::lock_guard lock(mutex_);
    watches = is_unwatched();
    if (watches) watched_until_ = until = std::min(until, early_.front().start);
  }
  const bool came = awake_.load() || ready_.acquire_within(std::max(until - now, Clock::duration::zero()));
  if (!watches) return came;
  std::lock_guard lock(mutex_);
  if (watched_until_ == until) watched_until_ = RequestTimes::never;  // else another thread checks earlier
  return came;
}

// Call with the mutex.
void RequestQueue::keep(std::unique_ptr<QueuedRequest> served) {
  if (served && served->octets() <= keep_octets && blanks_.size() < blanks_.capacity())
    blanks_.push_back(std::move(served));
}

// The thread that has served it. One that answered counts twice for a moment, and never not at all.
void RequestQueue::count_idle_again(const QueuedRequest* served) {
  if (!served) return;
  idle_.fetch_add(1);
  if (served->thread_is_ready()) answering_.fetch_sub(1);
}

void RequestQueue::give_back(std::unique_ptr<QueuedRequest> served) {
  std::lock_guard lock(mutex_);
  count_idle_again(served.get());
  keep(std::move(served));
}

// Call with the mutex.
std::unique_ptr<QueuedRequest> RequestQueue::take_first() {
  std::pop_heap(waiting_.begin(), waiting_.end());
  auto request = std::move(waiting_.back().request);
  waiting_.pop_back();
  request->end(&SenderCounts::waiting);
  octets_ -= request->octets();
  oneways_ -= request->context().response_expected ? 0 : 1;
  idle_.fetch_sub(1);
  return request;
}

RequestQueue::Task RequestQueue::pop(std::unique_ptr<QueuedRequest> served,
                                     std::chrono::nanoseconds timeout) {
  count_idle_again(served.get());
  bool released = false;
  for (;;) {
    const bool came = await_task(timeout);
    std::lock_guard lock(mutex_);
    keep(std::move(served));
    if (!early_.empty() && release_started(Clock::now())) [[unlikely]] {
      released = true;
      if (!came) continue;  // take its wake-up now
    }
    Task task;
    if (came && !errands_.empty()) {
      task.errand = std::move(errands_.back());
      errands_.pop_back();
    } else if (came && !waiting_.empty()) {
      task.request = take_first();
    } else if (came) {
      watch_asked_ = false;  // the thread was woken to watch early_
      if (!early_.empty()) continue;
    }
    if (released || !early_.empty()) [[unlikely]] {
      ask_for_watch();
      task.lacks_threads = std::cmp_greater(waiting_.size() + (early_.empty() ? 0 : 1),
                                            std::max(0, idle_.load(std::memory_order_relaxed)));
    }
    return task;
  }
}

std::unique_ptr<QueuedRequest> RequestQueue::pop_for_other() {
  if (!ready_.acquire_within(std::chrono::nanoseconds::zero())) return nullptr;
  std::lock_guard lock(mutex_);
  if (!waiting_.empty()) return take_first();
  ready_.release();  // gives back an errand's wake-up
  return nullptr;
}

void RequestQueue::wake(unsigned threads) {
  for (unsigned i = 0; i < threads; ++i) ready_.release();
}

void RequestQueue::wake_permanently(unsigned threads) {
  awake_ = true;
  wake(threads);
}

// Call with the mutex.
bool RequestQueue::take_spare_thread() {
  if (std::cmp_greater_equal(waiting_.size(), idle_.load(std::memory_order_relaxed))) return false;
  idle_.fetch_sub(1);
  return true;
}

bool RequestQueue::thread_may_go() {
  std::lock_guard lock(mutex_);
  const bool is_last = std::cmp_less_equal(idle_.load(std::memory_order_relaxed), 1);
  return (early_.empty() || !is_last) && take_spare_thread();
}

bool RequestQueue::promise_thread() {
  std::lock_guard lock(mutex_);
  return !awake_ && take_spare_thread();
}

void RequestQueue::send(std::shared_ptr<QueueWorkers> errand) {
  {
    std::lock_guard lock(mutex_);
    errands_.push_back(std::move(errand));
  }
  ready_.release();
}

// Call with the mutex.
bool RequestQueue::lacks_threads() const {
  return std::cmp_greater(waiting_.size(), std::max(0, idle_.load(std::memory_order_relaxed)));
}

bool RequestQueue::starving() const {
  std::lock_guard lock(mutex_);
  return lacks_threads();
}

bool RequestQueue::come_if_needed() {
  std::lock_guard lock(mutex_);
  if (!lacks_threads()) return false;
  idle_.fetch_add(1);
  return true;
}

bool RequestQueue::all_busy() const {
  std::lock_guard lock(mutex_);
  return std::cmp_greater_equal(waiting_.size(), idle_.load(std::memory_order_relaxed));
}

RequestQueue::State RequestQueue::state() const {
  std::lock_guard lock(mutex_);
  State state{.waiting = waiting_.size(), .early = early_.size(), .octets = octets_ + early_octets_};
  for (const Waiting& each : waiting_) state.oldest = std::min(state.oldest, each.request->arrived_at());
  return state;
}

bool RequestQueue::empty() const {
  std::lock_guard lock(mutex_);
  return waiting_.empty();
}

}  // namespace takt::server
