// Calls an operation periodically and measures the response times.
#pragma once

#include <functional>
#include <thread>

#include "common/wake_at.h"
#include "schedule/lane_server.h"

namespace bench {

using Clock = std::chrono::steady_clock;

struct Job {
  nanoseconds period{}, execution{};
  int level = 0;
  void (Bench::Load::*operation)(std::uint64_t) = &Bench::Load::spin;
};

// Responses are measured from the release to the reply.
struct Responses {
  std::int64_t jobs = 0, refused = 0;  // refused: TRANSIENT, for example after an overrun
  std::int64_t misses = 0;             // responses after the end of the period
  std::vector<nanoseconds> all;
  nanoseconds longest{};
};

// A job that ends after the next releases skips them; each skipped release is a miss.
inline void release_until(Clock::time_point end, Clock::time_point first, nanoseconds period,
                          const std::function<void()>& job, Responses& seen) {
  for (auto release = first; release < end; release += period) {
    wake_at(release);
    try {
      job();
    } catch (const CORBA::TRANSIENT&) {
      ++seen.refused;
      continue;
    }
    const nanoseconds response = Clock::now() - release;
    ++seen.jobs;
    seen.all.push_back(response);
    seen.longest = std::max(seen.longest, response);
    if (response <= period) continue;
    const auto overslept = (response - nanoseconds(1)) / period - 1;
    seen.misses += 1 + overslept;
    release += overslept * period;
  }
}

// All jobs are released together first.
inline std::vector<Responses> run(LaneServer& server, const std::vector<Job>& jobs, nanoseconds length) {
  std::vector<Responses> seen(jobs.size());
  const auto start = Clock::now() + std::chrono::milliseconds(300);  // when every client has connected
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < jobs.size(); ++i)
    threads.emplace_back([&, i] {
      const Job& job = jobs[i];
      seen[i].all.reserve(static_cast<std::size_t>(length / job.period) + 1);
      const LoadRef load = server.enter(job.level);
      const auto time = static_cast<std::uint64_t>(job.execution.count());
      release_until(start + length, start, job.period, [&] { (*load.*job.operation)(time); }, seen[i]);
    });
  threads.clear();
  return seen;
}

}  // namespace bench
