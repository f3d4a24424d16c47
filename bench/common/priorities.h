// One high-priority client and many others, each of which calls an object of its priority (the experiment of
// [Schmidt 2001], section 4).
//
// Beyond the requirements of driver.h, Client has run_at(priority), for the calling thread; by default
// SCHED_FIFO. For
// `--reserve BUDGET_US/PERIOD_US` it has reserve(budget, period), for the calling thread, until the result is
// destroyed.
#pragma once

#include <pthread.h>
#include <sched.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "common/levels.h"
#include "common/options.h"
#include "common/record.h"
#include "common/wake_at.h"
#include "common/workload.h"

namespace bench {

inline void run_thread_at(int priority) {
  sched_param parameters{};
  parameters.sched_priority = priority;
  check(::pthread_setschedparam(::pthread_self(), SCHED_FIFO, &parameters) == 0,
        "SCHED_FIFO needs CAP_SYS_NICE");
}

// The work of a low-priority upcall, in processor time; time waiting for the processor does not count.
class Work {
 public:
  explicit Work(double microseconds = 0) : ns_(static_cast<std::int64_t>(microseconds * 1000)) {}
  void run() const {
    if (ns_ == 0) return;
    for (const std::int64_t end = now() + ns_; now() < end;) {
    }
  }

 private:
  static std::int64_t now() {
    timespec time;
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * std::int64_t{1000000000} + time.tv_nsec;
  }
  std::int64_t ns_;
};

template <class Client>
void run_at(Client& client, int priority) {
  if constexpr (requires { client.run_at(priority); })
    client.run_at(priority);
  else
    run_thread_at(priority);
}

// Reserves processor time for the calling thread until the result is destroyed; nothing if `text` is empty.
template <class Client>
auto reserve(Client& client, const std::string& text) {
  if constexpr (requires { client.reserve(std::chrono::microseconds(), std::chrono::microseconds()); }) {
    if (text.empty()) return decltype(client.reserve({}, {}))();
    const auto slash = text.find('/');
    check(slash != std::string::npos, "--reserve takes BUDGET_US/PERIOD_US");
    return client.reserve(std::chrono::microseconds(std::stoul(text)),
                          std::chrono::microseconds(std::stoul(text.substr(slash + 1))));
  } else {
    check(text.empty(), "this peer reserves nothing");
    return 0;
  }
}

inline void run_on_processor(int processor) {
  cpu_set_t processors;
  CPU_ZERO(&processors);
  CPU_SET(static_cast<std::size_t>(processor), &processors);
  check(::sched_setaffinity(0, sizeof processors, &processors) == 0, "there is no such processor");
}

template <class Client>
class PriorityDriver {
 public:
  // `--rate HZ`: the rate of paced low-priority clients; the first client calls twice as often. `--calls N`:
  // the number of calls by each paced client, while the others call back to back; default: runs for
  // `--seconds S`. `--reserve BUDGET_US/PERIOD_US`: reserves time for the first client's thread; `--low-on
  // CPU`: where the other clients' threads run.
  PriorityDriver(Client& client, const Options& options)
      : client_(client),
        options_(options),
        levels_(levels_of(options)),
        paced_(options.text("variant") == "paced" || options.text("variant") == "distinct"),
        calls_(static_cast<std::size_t>(options.number("calls", 0))),
        period_(as_duration(1 / options.number("rate", 10))),
        seconds_(calls_ ? static_cast<double>(calls_) * seconds_of(period_ / 2)
                        : options.number("seconds", 5)) {
    check(options.text("endpoint").find('|') != std::string::npos,
          "the server does not serve two priorities");
  }

  void run() {
    const auto others = static_cast<std::size_t>(options_.number("low-clients", 0));
    check(others < levels_.size() || options_.text("levels") != "distinct", "there are no more priorities");
    std::barrier ready(static_cast<std::ptrdiff_t>(others) + 1, [this]() noexcept {
      start_ = Clock::now() + std::chrono::milliseconds(20);
      end_ = start_ + as_duration(seconds_);
    });
    const auto pause = paced_ ? std::optional(period_) : std::nullopt;
    Made first{Samples(calls_ ? calls_ : 100000)};
    std::vector<Made> made(others, Made{Samples(0)});
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < others; ++i)
        threads.emplace_back([&, i] {
          Made own{Samples(paced_ && calls_ ? calls_ : 200000)};
          call(std::min(i + 1, levels_.size() - 1), pause, ready, own);
          made[i] = std::move(own);
        });
      threads.emplace_back([&] {
        call(0, period_ / 2, ready, first);
        first_is_done_ = true;
      });
    }
    print("high", first);
    if (others == 0) return;
    Made all{Samples(0)};
    for (const Made& own : made) {
      all.samples.append(own.samples);
      all.calls += own.calls;
    }
    print("low", all);
  }

 private:
  struct Made {
    Samples samples;
    std::size_t calls = 0;  // includes calls for which the samples have no room
  };

  static Clock::duration as_duration(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }

  // All calls are due at the same instant, and the scheduler decides the order, as in the paper.
  template <class Barrier>
  void call(std::size_t level, std::optional<Clock::duration> period, Barrier& ready, Made& made) {
    run_at(client_, levels_[level]);
    if (level > 0 && options_.has("low-on")) run_on_processor(static_cast<int>(options_.number("low-on", 0)));
    [[maybe_unused]] const auto reserved = reserve(client_, level == 0 ? options_.text("reserve") : "");
    auto session = client_.connect(endpoint_at(options_.text("endpoint"), level));
    const auto cubed = [&](std::size_t i) {
      const auto x = static_cast<std::uint8_t>(i);
      check(session.cube_octet(x) == cube(x), "cube_octet returned the wrong value");
    };
    for (std::size_t i = 0; i < 20; ++i) cubed(i);
    ready.arrive_and_wait();
    auto next = start_;
    wake_at(next);
    for (std::size_t& i = made.calls; goes_on(i, period.has_value()); ++i) {
      const auto before = Clock::now();
      cubed(i);
      const auto took = Clock::now() - before;
      if (!made.samples.full()) made.samples.add(took);
      if (period) wake_at(next += *period);
    }
  }

  bool goes_on(std::size_t made, bool paced) const {
    if (calls_ == 0) return Clock::now() < end_;
    return paced ? made < calls_ : !first_is_done_.load(std::memory_order_relaxed);
  }

  void print(const char* side, Made& made) const {
    Record(options_.text("peer", "peer"), options_.text("transport", "tcp"), "priority")
        .text("side", side)
        .text("variant", options_.text("variant"))
        .number("low_clients", options_.number("low-clients", 0))
        .latency(made.samples)
        .number("calls", static_cast<double>(made.calls))
        .number("calls_per_s", static_cast<double>(made.calls) / seconds_)
        .print();
  }

  Client& client_;
  const Options& options_;
  const std::vector<int> levels_;
  const bool paced_;  // false: the other clients call back to back
  const std::size_t calls_;
  const Clock::duration period_;  // between calls of the other clients
  const double seconds_;          // duration of the first client's calls
  Clock::time_point start_, end_;
  std::atomic<bool> first_is_done_ = false;
};

}  // namespace bench
