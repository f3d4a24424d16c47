// The coroutines that a run loop resumes when it runs next, in the order in which they were added.
#pragma once

#include <coroutine>
#include <cstddef>
#include <vector>

namespace takt::async {

// Used by the loop's thread. Keeps its memory.
class ReadyCoroutines {
 public:
  bool any() const { return left_ != 0; }
  // Throws std::bad_alloc.
  void add(std::coroutine_handle<> coroutine) {
    if (coroutines_.size() == coroutines_.capacity() && left_ <= coroutines_.size() / 2) [[unlikely]]
      coroutines_.erase(coroutines_.begin(), coroutines_.end() - static_cast<std::ptrdiff_t>(left_));
    coroutines_.push_back(coroutine);
    ++left_;
  }
  // Precondition: any().
  std::coroutine_handle<> take() {
    const std::coroutine_handle<> first = coroutines_[coroutines_.size() - left_--];
    if (left_ == 0) coroutines_.clear();
    return first;
  }

 private:
  std::vector<std::coroutine_handle<>> coroutines_;  // the last left_ of them
  std::size_t left_ = 0;
};

}  // namespace takt::async
