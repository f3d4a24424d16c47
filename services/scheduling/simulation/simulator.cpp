#include "scheduling/simulation/simulator.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <queue>
#include <tuple>
#include <utility>

#include "scheduling/model/checked.h"

namespace takt::scheduling {
namespace {

constexpr std::size_t nobody = static_cast<std::size_t>(-1);

struct Job {
  std::size_t thread = 0;
  std::int64_t arrival = 0;    // arrival of the chain
  std::int64_t deadline = 0;   // absolute
  std::int64_t remaining = 0;  // own time until it ends or calls
  std::int64_t later = 0;      // own time after its calls
  std::size_t call = 0;        // index of its next call
  std::int64_t calls_made = 0;
  std::size_t caller = nobody;  // the job that waits for this one
  std::uint64_t number = 0;     // in the order of release
  bool missed = false;
};

struct Cpu {
  std::int32_t processor = 0;
  std::vector<std::size_t> ready;  // jobs in arbitrary order
  std::size_t running = nobody;
  std::size_t slice_thread = nobody;
  std::int64_t slice_begin = 0;
};

Within within(Strategy strategy) {
  if (is_fixed(strategy)) return Within::queue;
  return strategy == Strategy::earliest_deadline_first ? Within::deadline : Within::laxity;
}

class Player {
 public:
  Player(const Analysis& analysis, const SimulationOptions& options)
      : analysis_(analysis), options_(options), within_(within(analysis.options.strategy)) {
    const std::size_t count = analysis.threads.size();
    result_.threads.resize(count);
    calls_.resize(count);
    started_.resize(count);
    cpu_of_.resize(count);
    std::map<std::int32_t, std::size_t> cpus;
    for (std::size_t i = 0; i < count; ++i) {
      const Thread& thread = analysis.threads[i];
      const auto [place, is_new] = cpus.try_emplace(thread.processor, cpus_.size());
      if (is_new) cpus_.emplace_back().processor = thread.processor;
      cpu_of_[i] = place->second;
      tick_ = std::gcd(tick_, std::gcd(thread.period.count(),
                                       std::gcd(thread.execution.count(), thread.deadline.count())));
      tick_ = std::gcd(
          tick_, std::gcd(thread.phase.count(), std::gcd(thread.jitter.count(), thread.one_call.count())));
      if (thread.trigger) {
        auto& list = thread.trigger->type == DependencyType::two_way ? calls_ : started_;
        list[thread.trigger->thread].push_back(i);
        continue;
      }
      const std::int64_t phase = options.critical_instant ? -thread.jitter.count() : thread.phase.count();
      releases_.push({std::max<std::int64_t>(phase, 0), phase, i});
    }
    if (tick_ == 0) tick_ = 1;
  }

  Simulation play() {
    release_due();
    while (now_ < options_.horizon.count()) {
      for (Cpu& cpu : cpus_) choose(cpu);
      std::int64_t next = options_.horizon.count();
      if (!releases_.empty()) next = std::min(next, releases_.top().time);
      bool idle = true;
      for (const Cpu& cpu : cpus_) {
        steps_ += cpu.ready.size() / 16;  // the next job is searched for among all ready ones
        if (cpu.running == nobody) continue;
        idle = false;
        next = std::min(next, add(now_, until_change(cpu)));
      }
      if (idle && options_.stop_when_idle && now_ > 0) break;
      if (++steps_ > options_.most_steps) {
        result_.complete = false;
        break;
      }
      advance(next - now_);
      if (options_.stop_at_miss && result_.misses > 0) break;
    }
    finish();
    return std::move(result_);
  }

 private:
  struct Release {
    std::int64_t time, arrival;
    std::size_t thread;
    bool operator<(const Release& other) const {
      return std::tie(time, thread, arrival) > std::tie(other.time, other.thread, other.arrival);
    }
  };

  std::int32_t level(const Job& job) const { return analysis_.results[job.thread].priority.level; }
  std::int64_t laxity(const Job& job) const { return job.deadline - now_ - job.remaining - job.later; }

  // The order within a level: less goes first.
  std::int64_t rank(const Job& job) const {
    if (within_ == Within::deadline) return job.deadline;
    return within_ == Within::laxity ? laxity(job) : analysis_.results[job.thread].priority.subpriority;
  }
  bool before(const Job& a, const Job& b) const {
    return std::tuple(level(a), rank(a), a.number) < std::tuple(level(b), rank(b), b.number);
  }

  void choose(Cpu& cpu) {
    std::size_t best = nobody;
    for (const std::size_t job : cpu.ready)
      if (best == nobody || before(jobs_[job], jobs_[best])) best = job;
    if (cpu.running == nobody || best == nobody || best == cpu.running) {
      cpu.running = best;
      return;
    }
    const Job &now = jobs_[cpu.running], &other = jobs_[best];
    const bool same_level = level(now) == level(other);
    if (same_level && (within_ == Within::queue || rank(now) == rank(other))) return;
    cpu.running = best;
  }

  // How long nothing changes unless there is a release.
  std::int64_t until_change(const Cpu& cpu) const {
    const Job& job = jobs_[cpu.running];
    std::int64_t time = job.remaining;
    if (within_ != Within::laxity) return time;
    for (const std::size_t other : cpu.ready)
      if (other != cpu.running && level(jobs_[other]) == level(job))
        time = std::min(time, std::max<std::int64_t>(0, laxity(jobs_[other]) - laxity(job)) + tick_);
    return time;
  }

  void advance(std::int64_t time) {
    for (Cpu& cpu : cpus_) {
      const std::size_t thread = cpu.running == nobody ? nobody : jobs_[cpu.running].thread;
      if (thread != cpu.slice_thread) begin_slice(cpu, thread);
      if (cpu.running != nobody) jobs_[cpu.running].remaining -= time;
    }
    now_ += time;
    for (Cpu& cpu : cpus_)
      while (cpu.running != nobody && jobs_[cpu.running].remaining == 0) {
        const std::size_t job = cpu.running;
        std::erase(cpu.ready, job);
        cpu.running = nobody;
        go_on(job);
      }
    release_due();
  }

  void begin_slice(Cpu& cpu, std::size_t thread) {
    if (cpu.slice_thread != nobody && cpu.slice_begin < now_) {
      if (now_ <= options_.keep_from.count()) {
        result_.kept_until = Time(now_);
      } else if (result_.slices.size() < options_.most_slices) {
        result_.slices.push_back({cpu.slice_thread, cpu.processor, Time(cpu.slice_begin), Time(now_)});
        result_.kept_until = Time(now_);
      } else {
        full_ = true;
      }
    }
    cpu.slice_thread = thread;
    cpu.slice_begin = now_;
  }

  void release_due() {
    while (!releases_.empty() && releases_.top().time <= now_) {
      const Release due = releases_.top();
      releases_.pop();
      const Thread& thread = analysis_.threads[due.thread];
      ++result_.releases;
      look_for_late(due.thread);
      start(due.thread, due.arrival, thread.execution.count(), nobody);
      const std::int64_t arrival = add(due.arrival, thread.period.count());
      releases_.push({std::max(arrival, due.time), arrival, due.thread});
    }
  }

  void start(std::size_t thread, std::int64_t arrival, std::int64_t execution, std::size_t caller) {
    std::size_t job = free_.empty() ? jobs_.size() : free_.back();
    if (free_.empty())
      jobs_.emplace_back();
    else
      free_.pop_back();
    Job& made = jobs_[job];
    made = {thread,    arrival, add(arrival, analysis_.threads[thread].deadline.count()),
            execution, 0,       0,
            0,         caller,  ++jobs_made_,
            false};
    if (caller != nobody) made.deadline = jobs_[caller].deadline;
    if (!calls_[thread].empty()) {
      made.later = execution - execution / 2;
      made.remaining = execution / 2;
    }
    if (made.remaining > 0)
      cpus_[cpu_of_[thread]].ready.push_back(job);
    else
      go_on(job);
  }

  // Continues a job that has finished a part: it calls, computes further, or ends.
  void go_on(std::size_t job) {
    const std::size_t thread = jobs_[job].thread;
    if (jobs_[job].call < calls_[thread].size()) {
      const std::size_t callee = calls_[thread][jobs_[job].call];
      const std::int64_t calls = calls_in_job(callee);
      if (jobs_[job].calls_made < calls) {
        ++jobs_[job].calls_made;
        return start(callee, jobs_[job].arrival, analysis_.threads[callee].one_call.count(), job);
      }
      ++jobs_[job].call;
      jobs_[job].calls_made = 0;
      return go_on(job);
    }
    if (jobs_[job].later > 0) {
      jobs_[job].remaining = std::exchange(jobs_[job].later, 0);
      cpus_[cpu_of_[thread]].ready.push_back(job);
      return;
    }
    end(job);
  }

  // The calls that one job of the caller makes; the trigger counts those of a whole period.
  std::int64_t calls_in_job(std::size_t callee) const {
    const Trigger& trigger = *analysis_.threads[callee].trigger;
    const auto& outer = analysis_.threads[trigger.thread].trigger;
    const bool nested = outer && outer->type == DependencyType::two_way;
    const std::int64_t calls = nested ? divide_up(trigger.calls, outer->calls) : trigger.calls;
    return analysis_.threads[callee].one_call > Time(0) ? calls : std::min<std::int64_t>(calls, 1);
  }

  void end(std::size_t number) {
    const Job job = jobs_[number];
    free_.push_back(number);
    Observed& seen = result_.threads[job.thread];
    ++seen.jobs;
    if (job.caller != nobody) return go_on(job.caller);
    seen.worst_response = std::max(seen.worst_response, Time(now_ - job.arrival));
    if (now_ > job.deadline && !job.missed) note_miss(job);
    for (const std::size_t next : started_[job.thread])
      start(next, job.arrival, analysis_.threads[next].execution.count(), nobody);
  }

  void note_miss(const Job& job) {
    Observed& seen = result_.threads[job.thread];
    ++seen.misses;
    ++result_.misses;
    const Time at(std::max<std::int64_t>(0, job.deadline));  // it may have passed before the first release
    if (!seen.first_miss || *seen.first_miss > at) seen.first_miss = at;
  }

  // Counts a job that has reached its deadline and is not done.
  void note_if_late(Job& job) {
    if (job.caller != nobody || job.missed || job.deadline > now_) return;
    job.missed = true;
    note_miss(job);
  }
  void look_for_late(std::size_t thread) {
    for (const std::size_t number : cpus_[cpu_of_[thread]].ready)
      if (jobs_[number].thread == thread) note_if_late(jobs_[number]);
  }

  // Jobs that wait for their calls are in no ready list, so all jobs are checked.
  void finish() {
    for (Cpu& cpu : cpus_) begin_slice(cpu, nobody);
    std::vector<bool> over(jobs_.size());
    for (const std::size_t number : free_) over[number] = true;
    for (std::size_t number = 0; number < jobs_.size(); ++number)
      if (!over[number]) note_if_late(jobs_[number]);
    result_.end = Time(now_);
    if (!full_) result_.kept_until = result_.end;
  }

  const Analysis& analysis_;
  const SimulationOptions& options_;
  Within within_;
  Simulation result_;
  std::vector<Cpu> cpus_;
  std::vector<std::size_t> cpu_of_;
  // By thread: the threads it waits for, the threads it starts.
  std::vector<std::vector<std::size_t>> calls_, started_;
  std::priority_queue<Release> releases_;
  std::vector<Job> jobs_;
  std::vector<std::size_t> free_;
  std::uint64_t jobs_made_ = 0;
  std::size_t steps_ = 0;
  bool full_ = false;  // the limit of slices is reached
  std::int64_t now_ = 0, tick_ = 0;
};

}  // namespace

Simulation simulate(const Analysis& analysis, const SimulationOptions& options) {
  return Player(analysis, options).play();
}

std::optional<FirstMiss> first_miss(const Simulation& simulation) {
  std::optional<FirstMiss> first;
  for (std::size_t i = 0; i < simulation.threads.size(); ++i)
    if (const auto& miss = simulation.threads[i].first_miss; miss && (!first || *miss < first->at))
      first = FirstMiss{*miss, i};
  return first;
}

std::optional<Time> hyperperiod(std::span<const Thread> threads) {
  std::int64_t all = 1;
  for (const Thread& thread : threads) {
    const std::int64_t period = thread.period.count();
    all = multiply(all / std::gcd(all, period), period);
    if (all == unbounded) return std::nullopt;
  }
  return Time(all);
}

}  // namespace takt::scheduling
