// One high-priority client and many low-priority ones, of two servants (the experiment of paper 000, section
// 4).
//
// Client, beside what driver.h asks for:  run_at(priority), for the calling thread; by default SCHED_FIFO.
#pragma once

#include <pthread.h>
#include <sched.h>
#include <time.h>

#include <barrier>
#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "common/options.h"
#include "common/record.h"
#include "common/wake_at.h"
#include "common/workload.h"

namespace bench {

inline constexpr int high_priority = 40, low_priority = 10;  // of SCHED_FIFO

inline void run_thread_at(int priority) {
  sched_param parameters{};
  parameters.sched_priority = priority;
  check(::pthread_setschedparam(::pthread_self(), SCHED_FIFO, &parameters) == 0,
        "SCHED_FIFO needs CAP_SYS_NICE");
}

// What a low-priority upcall has to do: so much time of the processor's, waiting for it not counted.
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

// A server of both announces them in one line.
inline std::string first_of(const std::string& endpoints) { return endpoints.substr(0, endpoints.find('|')); }
inline std::string both_endpoints(const std::string& high, const std::string& low) {
  return high + "|" + low;
}

template <class Client>
class PriorityDriver {
 public:
  PriorityDriver(Client& client, const Options& options)
      : client_(client),
        options_(options),
        saturated_(options.text("variant") != "paced"),
        seconds_(options.number("seconds", 5)) {
    const std::string both = options.text("endpoint");
    const auto bar = both.find('|');
    check(bar != std::string::npos, "the server does not serve two priorities");
    high_endpoint_ = both.substr(0, bar);
    low_endpoint_ = both.substr(bar + 1);
  }

  void run() {
    using namespace std::chrono_literals;
    const auto low_clients = static_cast<std::size_t>(options_.number("low-clients", 0));
    std::barrier ready(static_cast<std::ptrdiff_t>(low_clients) + 1, [this]() noexcept {
      start_ = Clock::now() + 20ms;
      end_ = start_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds_));
    });
    const std::optional<Clock::duration> pause =
        saturated_ ? std::nullopt : std::optional<Clock::duration>(100ms);
    Samples high(100000);
    std::vector<Samples> low(low_clients, Samples(0));
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < low_clients; ++i)
        threads.emplace_back([&, i] {
          Samples own(200000);
          call(low_priority, low_endpoint_, pause, Clock::duration(100ms) * i / low_clients, ready, own);
          low[i] = std::move(own);
        });
      threads.emplace_back([&] { call(high_priority, high_endpoint_, 50ms, 0ms, ready, high); });
    }
    print("high", high);
    if (low_clients == 0) return;
    Samples all(0);
    for (const Samples& own : low) all.append(own);
    print("low", all);
  }

 private:
  template <class Barrier>
  void call(int priority, const std::string& endpoint, std::optional<Clock::duration> pause,
            Clock::duration offset, Barrier& ready, Samples& samples) {
    run_at(client_, priority);
    auto session = client_.connect(endpoint);
    const auto cubed = [&](std::size_t i) {
      const auto x = static_cast<std::uint8_t>(i);
      check(session.cube_octet(x) == cube(x), "cube_octet returned the wrong value");
    };
    for (std::size_t i = 0; i < 20; ++i) cubed(i);
    ready.arrive_and_wait();
    wake_at(start_ + offset);
    auto next = start_ + offset;
    for (std::size_t i = 0; !samples.full() && Clock::now() < end_; ++i) {
      const auto before = Clock::now();
      cubed(i);
      samples.add(Clock::now() - before);
      if (pause) wake_at(next += *pause);
    }
  }

  void print(const char* side, Samples& samples) const {
    Record(options_.text("peer", "peer"), options_.text("transport", "tcp"), "priority")
        .text("side", side)
        .text("variant", options_.text("variant"))
        .number("low_clients", options_.number("low-clients", 0))
        .latency(samples)
        .number("calls_per_s", static_cast<double>(samples.size()) / seconds_)
        .print();
  }

  Client& client_;
  const Options& options_;
  const bool saturated_;  // low-priority clients pause for nothing
  const double seconds_;
  std::string high_endpoint_, low_endpoint_;
  Clock::time_point start_, end_;
};

}  // namespace bench
