// Works at the same time.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace takt::command {

// Calls `work` with each number below `count`, in up to `most_threads` threads, and waits for all: a peer
// that does not answer takes its time beside the others. Throws what one of them has thrown.
inline void side_by_side(std::size_t count, const std::function<void(std::size_t)>& work,
                         std::size_t most_threads = 32) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto go_on = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    try {
      for (std::size_t i = 1; i < std::min(count, most_threads); ++i) threads.emplace_back(go_on);
    } catch (const std::system_error&) {  // there are no more threads: those that there are do all
    }
    go_on();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace takt::command
