// How long one of several connections may keep the thread that serves them all.
#pragma once

#include <algorithm>
#include <chrono>

namespace takt {

// A batch of requests that have come together is interrupted about `span` after others began to wait, which
// costs a look for them once in that time. The number of requests between two looks follows how long they
// took. Used by one thread at a time.
class FairTurn {
 public:
  static constexpr std::chrono::nanoseconds span = std::chrono::microseconds(10);
  static constexpr unsigned most_requests = 32;  // between two looks

  // Call at the start of a batch.
  void begin() {
    left_ = size_;
    since_ = {};
  }
  // Call after each of its requests. True: leave the thread to the others.
  bool is_over() { return --left_ == 0 && look(); }

 protected:
  ~FairTurn() = default;

 private:
  using Clock = std::chrono::steady_clock;

  // Whether another connection would be served now. Must not block.
  virtual bool others_wait() = 0;

  [[gnu::noinline]] bool look() {
    const auto now = Clock::now();
    if (since_ != Clock::time_point()) {
      const auto took = std::max<std::chrono::nanoseconds>(now - since_, std::chrono::nanoseconds(1));
      size_ = static_cast<unsigned>(
          std::clamp<std::chrono::nanoseconds::rep>(size_ * span / took, 1, most_requests));
    }
    since_ = now;
    left_ = size_;
    return others_wait();
  }

  unsigned size_ = most_requests / 2, left_ = size_;
  Clock::time_point since_{};  // when the previous look of this batch was; the epoch before it
};

}  // namespace takt
