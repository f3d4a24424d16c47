// Four clients of four priorities at four rates, each calling an object of its priority (the experiment of
// paper 004, section 3.1.3). All start together, so that calls of several priorities are due at the same
// instant again and again.
#pragma once

#include <array>
#include <barrier>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "common/options.h"
#include "common/priorities.h"
#include "common/record.h"
#include "common/wake_at.h"
#include "common/workload.h"

namespace bench {

// Of SCHED_FIFO, and how often a second; the first is the most urgent.
inline constexpr std::array rate_priorities = {40, 30, 20, 10};
inline constexpr std::array rates_hz = {20, 10, 5, 1};

// Servers announce the objects' endpoints in this order, with bars between them; one may stand for all.
inline std::string rate_endpoint(const std::string& endpoints, std::size_t number) {
  std::size_t begin = 0;
  for (; number > 0 && endpoints.find('|', begin) != std::string::npos; --number)
    begin = endpoints.find('|', begin) + 1;
  return endpoints.substr(begin, endpoints.find('|', begin) - begin);
}

template <class Client>
class InversionDriver {
 public:
  InversionDriver(Client& client, const Options& options)
      : client_(client),
        options_(options),
        faster_(static_cast<int>(options.number("faster", 1))),
        seconds_(options.number("seconds", 10)) {}

  void run() {
    std::barrier ready(rates_hz.size(),
                       [this]() noexcept { start_ = Clock::now() + std::chrono::milliseconds(50); });
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < rates_hz.size(); ++i) threads.emplace_back([&, i] { call(i, ready); });
    }
    for (std::size_t i = 0; i < rates_hz.size(); ++i) print(i);
  }

 private:
  struct Call {
    Clock::time_point due, begun, ended;
  };

  template <class Barrier>
  void call(std::size_t number, Barrier& ready) {
    const auto count = static_cast<std::size_t>(seconds_ * rates_hz[number] * faster_);
    std::vector<Call>& calls = calls_[number];
    calls.resize(count);
    run_at(client_, rate_priorities[number]);
    auto session = client_.connect(rate_endpoint(options_.text("endpoint"), number));
    for (std::uint8_t i = 0; i < 20; ++i) check(session.cube_octet(i) == cube(i), "cube_octet");
    ready.arrive_and_wait();
    for (std::size_t i = 0; i < count; ++i) {
      Call& one = calls[i];
      one.due = start_ + std::chrono::nanoseconds(1000000000) * i / (rates_hz[number] * faster_);
      wake_at(one.due);
      const auto x = static_cast<std::uint8_t>(i);
      one.begun = Clock::now();
      check(session.cube_octet(x) == cube(x), "cube_octet returned the wrong value");
      one.ended = Clock::now();
    }
  }

  // Calls of this client's during which one that was less urgent both began and ended, after this one was
  // due.
  std::size_t overtaken(std::size_t number) const {
    std::size_t count = 0;
    for (const Call& own : calls_[number])
      for (std::size_t lower = number + 1; lower < calls_.size(); ++lower)
        for (const Call& other : calls_[lower]) count += other.begun >= own.due && other.ended < own.ended;
    return count;
  }

  void print(std::size_t number) const {
    Samples answered(calls_[number].size()), called(calls_[number].size());
    for (const Call& one : calls_[number]) {
      answered.add(one.ended - one.due);
      called.add(one.ended - one.begun);
    }
    Record(options_.text("peer", "peer"), options_.text("transport", "tcp"), "inversion")
        .number("rate_hz", rates_hz[number])
        .number("priority", rate_priorities[number])
        .latency(called)
        .number("due_mean_ns", answered.mean_ns())
        .number("overtaken", static_cast<double>(overtaken(number)))
        .print();
  }

  Client& client_;
  const Options& options_;
  const int faster_;
  const double seconds_;
  Clock::time_point start_;
  std::array<std::vector<Call>, rates_hz.size()> calls_;
};

}  // namespace bench
