// Questions to etcd that many callers share.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include "naming_cluster/etcd/client.h"

namespace takt::naming {

// Each caller gets the answer to a question that was asked after its call began. One caller asks for all that
// wait, so there is one question at a time. If the time of the caller that asks is too short, the callers
// that have more time ask again. Thread-safe.
template <class Answer>
class Rounds {
 public:
  using Clock = etcd::Clock;

  // `ask` blocks until the deadline that it gets at most. Nothing if the caller's deadline passes. If `ask`
  // throws, its caller gets the exception, and the callers that wait get nothing.
  template <class Ask>
  std::optional<Answer> answer(Clock::time_point deadline, const Ask& ask) {
    std::unique_lock lock(mutex_);
    const std::uint64_t needed = begun_ + 1;
    while (ended_ < needed || was_too_short_) {
      if (Clock::now() >= deadline) return std::nullopt;
      if (!asking_) {
        {
          Round round(*this, lock, deadline);
          round.answer = ask(deadline);
        }
        break;
      }
      ended_changes_.wait_until(lock, deadline);
    }
    return answer_;
  }

 private:
  // The mutex is unlocked while this object lives. At its end the answer is there for all.
  class Round {
   public:
    Round(Rounds& of, std::unique_lock<std::mutex>& lock, Clock::time_point deadline)
        : of_(of), lock_(lock), deadline_(deadline), number_(++of.begun_) {
      of_.asking_ = true;
      lock_.unlock();
    }
    ~Round() {
      lock_.lock();
      of_.was_too_short_ = !answer && Clock::now() >= deadline_;
      of_.answer_ = std::move(answer);
      of_.ended_ = number_;
      of_.asking_ = false;
      of_.ended_changes_.notify_all();
    }
    Round(const Round&) = delete;
    Round& operator=(const Round&) = delete;

    std::optional<Answer> answer;

   private:
    Rounds& of_;
    std::unique_lock<std::mutex>& lock_;
    const Clock::time_point deadline_;
    const std::uint64_t number_;
  };

  std::mutex mutex_;
  std::condition_variable ended_changes_;
  std::uint64_t begun_ = 0, ended_ = 0;
  bool asking_ = false;
  bool was_too_short_ = false;  // the last round ended at its deadline, without an answer
  std::optional<Answer> answer_;
};

}  // namespace takt::naming
