#include "connection/server/queued/request_queue.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace takt::connection {

namespace {
// A long request's memory is not kept for short ones.
constexpr std::size_t keep_octets = 64 * 1024;
constexpr std::size_t first_requests = 64;
}  // namespace

RequestQueue::RequestQueue(std::shared_ptr<const BufferBounds> bounds, QueueOrder order)
    : bounds_(std::move(bounds)), order_(request_order(order)) {
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

// Those that idle threads are about to take are not buffered.
bool RequestQueue::has_room(const QueuedRequest& request) const {
  const auto idle = static_cast<std::size_t>(std::max(0, idle_.load(std::memory_order_relaxed)));
  const std::size_t count = waiting_.size();
  if (count < idle) return true;
  const std::size_t most_octets = bounds_->octets;
  if (most_octets != 0 && octets_ + request.octets() > most_octets) return false;
  const std::size_t most_oneways = bounds_->more_oneways;
  if (most_oneways == 0) return count - idle < bounds_->requests;
  if (!request.context().response_expected) return oneways_ < most_oneways;
  return count - oneways_ < idle + bounds_->requests;
}

std::unique_ptr<QueuedRequest> RequestQueue::push(std::unique_ptr<QueuedRequest> request) {
  {
    std::lock_guard lock(mutex_);
    if (!has_room(*request)) return request;
    if (waiting_.size() == waiting_.capacity()) waiting_.reserve(2 * waiting_.size());
    octets_ += request->octets();
    oneways_ += request->context().response_expected ? 0 : 1;
    const Rank rank = order_.rank_of(*request);
    waiting_.push_back({rank, next_number_++, std::move(request)});
    std::push_heap(waiting_.begin(), waiting_.end());
  }
  ready_.release();
  return nullptr;
}

// With the mutex.
void RequestQueue::keep(std::unique_ptr<QueuedRequest> served) {
  if (served && served->octets() <= keep_octets && blanks_.size() < blanks_.capacity())
    blanks_.push_back(std::move(served));
}

void RequestQueue::give_back(std::unique_ptr<QueuedRequest> served) {
  std::lock_guard lock(mutex_);
  idle_.fetch_add(1);
  keep(std::move(served));
}

// With the mutex.
std::unique_ptr<QueuedRequest> RequestQueue::take_first() {
  std::pop_heap(waiting_.begin(), waiting_.end());
  auto request = std::move(waiting_.back().request);
  waiting_.pop_back();
  octets_ -= request->octets();
  oneways_ -= request->context().response_expected ? 0 : 1;
  idle_.fetch_sub(1);
  return request;
}

RequestQueue::Task RequestQueue::pop(std::unique_ptr<QueuedRequest> served,
                                     std::chrono::nanoseconds timeout) {
  if (served) idle_.fetch_add(1);
  const bool came = awake_.load() || ready_.acquire_within(timeout);
  Task task;
  std::lock_guard lock(mutex_);
  keep(std::move(served));
  if (!came) return task;
  if (!errands_.empty()) {
    task.errand = std::move(errands_.back());
    errands_.pop_back();
  } else if (!waiting_.empty()) {
    task.request = take_first();
  }
  return task;
}

std::unique_ptr<QueuedRequest> RequestQueue::pop_for_other() {
  if (!ready_.acquire_within(std::chrono::nanoseconds::zero())) return nullptr;
  std::lock_guard lock(mutex_);
  if (!waiting_.empty()) return take_first();
  ready_.release();  // an errand's
  return nullptr;
}

void RequestQueue::wake(unsigned threads) {
  for (unsigned i = 0; i < threads; ++i) ready_.release();
}

void RequestQueue::wake_for_good(unsigned threads) {
  awake_ = true;
  wake(threads);
}

// With the mutex.
bool RequestQueue::take_spare_thread() {
  if (std::cmp_greater_equal(waiting_.size(), idle_.load(std::memory_order_relaxed))) return false;
  idle_.fetch_sub(1);
  return true;
}

bool RequestQueue::thread_may_go() {
  std::lock_guard lock(mutex_);
  return take_spare_thread();
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

// With the mutex.
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

bool RequestQueue::empty() const {
  std::lock_guard lock(mutex_);
  return waiting_.empty();
}

}  // namespace takt::connection
