// The calls of one connection, a number of which are under way at any time.
#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <thread>
#include <vector>

#include "common/options.h"
#include "common/record.h"
#include "common/samples.h"
#include "common/serve.h"

namespace bench {

// The memory of the process that is resident now, and the most that ever was, in octets.
inline double resident_bytes() {
  double pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}
inline double most_resident_bytes() {
  ::rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

// Whether there is another call to make. Any thread.
class Limit {
 public:
  // `--bare N`: that many calls, without reading the clock. Otherwise for `--seconds`.
  explicit Limit(const Options& options)
      : bare_(options.has("bare")),
        left_(static_cast<std::ptrdiff_t>(options.number("bare", 1e15))),
        seconds_(options.number("seconds", 0.5)) {}

  void start() {
    resident_ = resident_bytes();
    start_ = Clock::now();
    end_ = start_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds_));
  }
  // When a call begins; not the time in a bare run.
  Clock::time_point now() const { return bare_ ? Clock::time_point() : Clock::now(); }
  bool more(Clock::time_point at) {
    return bare_ ? left_.fetch_sub(1, std::memory_order_relaxed) > 0 : at < end_;
  }
  bool bare() const { return bare_; }
  double elapsed() const { return seconds_of(Clock::now() - start_); }
  // By how much the process has grown at most.
  double grown_bytes() const { return most_resident_bytes() - resident_; }

 private:
  const bool bare_;
  std::atomic<std::ptrdiff_t> left_;
  const double seconds_;
  double resident_ = 0;
  Clock::time_point start_, end_;
};

// Calls that follow one another: each begins when the one before has ended. One thread at a time.
struct Chain {
  explicit Chain(Limit& of) : limit(of), samples(of.bare() ? 0 : capacity) {}

  // Whether another call is to be made, which begins now.
  bool begin() {
    began = limit.now();
    return limit.more(began);
  }
  void end() {
    ++calls;
    if (!limit.bare() && !samples.full()) samples.add(Clock::now() - began);
  }

  static constexpr std::size_t capacity = 4000;  // the rest are counted only
  Limit& limit;
  Samples samples;
  Clock::time_point began;
  std::size_t calls = 0;
};

struct Shape {
  explicit Shape(const Options& options)
      : in_flight(static_cast<std::size_t>(options.number("in-flight", 1))),
        connections(static_cast<std::size_t>(options.number("connections", 1))) {}
  // Rounded down, so that all connections have as many.
  std::size_t of_connection() const { return in_flight / connections; }
  std::size_t in_flight, connections;  // in all
};

// The chains of all connections, in turn.
class Chains {
 public:
  Chains(const Shape& shape, Limit& limit) : of_(shape.connections) {
    for (std::size_t i = 0; i < shape.of_connection() * shape.connections; ++i) {
      all_.push_back(std::make_unique<Chain>(limit));
      of_[i % shape.connections].push_back(all_.back().get());
    }
  }
  const std::vector<std::unique_ptr<Chain>>& all() const { return all_; }
  const std::vector<Chain*>& of(std::size_t connection) const { return of_[connection]; }

 private:
  std::vector<std::unique_ptr<Chain>> all_;
  std::vector<std::vector<Chain*>> of_;
};

// Calls run(i) for each connection, in a thread of its own. An error ends the program.
template <class Run>
void run_each(std::size_t connections, const char* program, Run run) {
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < connections; ++i)
    threads.emplace_back([&run, program, i] {
      if (run_main(program, [&] { run(i); }) != 0) std::_Exit(1);
    });
}

template <class AllChains>
void print(const Options& options, const Shape& shape, const AllChains& chains, const Limit& limit) {
  const double elapsed = limit.elapsed(), grown = limit.grown_bytes();
  Samples all(0);
  double calls = 0;
  for (const auto& chain : chains) {
    all.append(chain->samples);
    calls += static_cast<double>(chain->calls);
  }
  Record record(options.text("peer"), options.text("transport", "tcp"), "cube_octet");
  record.text("model", options.text("model", "pipelined"))
      .number("in_flight", static_cast<double>(chains.size()))
      .number("connections", static_cast<double>(shape.connections));
  if (all.size() != 0) record.latency(all);
  record.number("calls", calls).number("calls_per_s", calls / elapsed).number("grown_bytes", grown).print();
}

}  // namespace bench
