#include "connection/server/request_queue.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace takt::connection {

namespace {
// A long request's memory is not kept for short ones.
constexpr std::size_t keep_octets = 64 * 1024;
constexpr std::size_t first_places = 64;
}  // namespace

RequestQueue::RequestQueue(const BufferBounds& bounds) : bounds_(bounds), ring_(first_places) {}

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
bool RequestQueue::has_room(std::size_t octets) const {
  const auto idle = static_cast<std::size_t>(std::max(0, idle_.load(std::memory_order_relaxed)));
  if (count_ < idle) return true;
  return count_ - idle < bounds_.requests && (bounds_.octets == 0 || octets_ + octets <= bounds_.octets);
}

std::unique_ptr<QueuedRequest> RequestQueue::push(std::unique_ptr<QueuedRequest> request) {
  {
    std::lock_guard lock(mutex_);
    if (!has_room(request->octets())) return request;
    if (count_ == ring_.size()) {
      std::ranges::rotate(ring_, ring_.begin() + static_cast<std::ptrdiff_t>(first_));
      first_ = 0;
      ring_.resize(2 * ring_.size());
    }
    octets_ += request->octets();
    ring_[(first_ + count_++) % ring_.size()] = std::move(request);
  }
  ready_.release();
  return nullptr;
}

std::unique_ptr<QueuedRequest> RequestQueue::pop(std::unique_ptr<QueuedRequest> served,
                                                 std::chrono::nanoseconds timeout) {
  if (served) idle_.fetch_add(1);
  const bool came = awake_.load() || ready_.acquire_within(timeout);
  std::lock_guard lock(mutex_);
  if (served && served->octets() <= keep_octets) blanks_.push_back(std::move(served));
  if (!came || count_ == 0) return nullptr;
  auto request = std::move(ring_[first_]);
  first_ = (first_ + 1) % ring_.size();
  --count_;
  octets_ -= request->octets();
  idle_.fetch_sub(1);
  return request;
}

void RequestQueue::wake_for_good(unsigned threads) {
  awake_ = true;
  for (unsigned i = 0; i < threads; ++i) ready_.release();
}

bool RequestQueue::all_busy() const {
  std::lock_guard lock(mutex_);
  return std::cmp_greater_equal(count_, idle_.load(std::memory_order_relaxed));
}

bool RequestQueue::empty() const {
  std::lock_guard lock(mutex_);
  return count_ == 0;
}

}  // namespace takt::connection
