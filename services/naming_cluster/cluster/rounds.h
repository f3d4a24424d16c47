// Questions to etcd that many callers share.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>

#include "naming_cluster/etcd/client.h"

namespace takt::naming {

// Each caller gets the answer to a question that was asked after its call began. One caller asks for all that
// wait, so there is one question at a time. Thread-safe.
template <class Answer>
class Rounds {
 public:
  using Clock = etcd::Clock;

  // `ask` blocks until the deadline that it gets at most. Nothing if the caller's deadline passes.
  template <class Ask>
  std::optional<Answer> answer(Clock::time_point deadline, const Ask& ask) {
    std::unique_lock lock(mutex_);
    const std::uint64_t needed = begun_ + 1;
    while (ended_ < needed) {
      if (asking_) {
        if (ended_changes_.wait_until(lock, deadline) == std::cv_status::timeout && ended_ < needed)
          return std::nullopt;
        continue;
      }
      asking_ = true;
      const std::uint64_t round = ++begun_;
      lock.unlock();
      std::optional<Answer> answer = ask(deadline);
      lock.lock();
      answer_ = std::move(answer);
      ended_ = round;
      asking_ = false;
      ended_changes_.notify_all();
    }
    return answer_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable ended_changes_;
  std::uint64_t begun_ = 0, ended_ = 0;
  bool asking_ = false;
  std::optional<Answer> answer_;
};

}  // namespace takt::naming
