// One core, SCHED_FIFO threads that burn it, and the order in which they end.
#pragma once

#include <pthread.h>
#include <sched.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <semaphore>
#include <stdexcept>
#include <thread>

namespace contention {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

inline constexpr int low = 10, burning = 25, urgent = 40, above_all = 60;  // SCHED_FIFO priorities
inline constexpr auto burner_burns = 300ms, holder_burns = 5ms;

inline void run_at(int priority) {
  sched_param parameters{};
  parameters.sched_priority = priority;
  if (::pthread_setschedparam(::pthread_self(), SCHED_FIFO, &parameters) != 0)
    throw std::runtime_error("SCHED_FIFO needs CAP_SYS_NICE");
}

inline void stay_on_one_core() {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(0, &one);
  if (::sched_setaffinity(0, sizeof one, &one) != 0) throw std::runtime_error("cannot be pinned to core 0");
}

// Uses the given processor time of the thread.
inline void burn(std::chrono::nanoseconds time) {
  const auto used = [] {
    timespec now;
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
  };
  for (const auto end = used() + time; used() < end;) {
  }
}

// Runs its work once for each go(), at the given priority.
class Actor {
 public:
  Actor(int priority, std::function<void()> prepare, std::function<void()> work)
      : thread_([this, priority, prepare = std::move(prepare), work = std::move(work)] {
          run_at(priority);
          if (prepare) prepare();
          done_.release();
          for (go_.acquire(); !over_; go_.acquire()) {
            work();
            done_.release();
          }
        }) {
    done();
  }
  ~Actor() {
    over_ = true;
    go_.release();
    thread_.join();
  }
  void go() { go_.release(); }
  void done() { done_.acquire(); }

 private:
  std::atomic<bool> over_{false};
  std::counting_semaphore<> go_{0}, done_{0};
  std::thread thread_;
};

// The urgent call and the burner start together: records which ended first, and when the call did.
class Race {
 public:
  void begin() {
    ended_ = 0;
    began_at_ = Clock::now();
  }
  void call_ended() {
    took_ = Clock::now() - began_at_;
    overtaken_ += ended_.fetch_add(1) != 0 ? 1 : 0;
    worst_ = std::max(worst_, took_);
    ++runs_;
  }
  // In the thread that burns the core.
  void burn_against_it() {
    burn(burner_burns);
    ended_.fetch_add(1);
  }
  void print(const char* what) const {
    std::printf(
        "%s: the burner was done before the urgent call in %d of %d runs; the longest call took %.1f ms\n",
        what, overtaken_, runs_, std::chrono::duration<double, std::milli>(worst_).count());
  }

 private:
  std::atomic<int> ended_{0};
  Clock::time_point began_at_{};
  Clock::duration took_{}, worst_{};
  int overtaken_ = 0, runs_ = 0;
};

}  // namespace contention
