#include "schedulability/simulation/simulator.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <queue>
#include <tuple>
#include <utility>

#include "schedulability/model/checked.h"
#include "schedulability/simulation/sections.h"

namespace takt::scheduling {
namespace {

constexpr std::size_t nobody = static_cast<std::size_t>(-1);

struct Job {
  std::size_t thread = 0;
  std::int64_t arrival = 0;    // arrival of the chain
  std::int64_t begin = -1;     // when it first ran; -1: not yet
  std::int64_t deadline = 0;   // absolute
  std::int64_t remaining = 0;  // own time until it ends or calls
  std::int64_t later = 0;      // own time after its calls
  std::size_t call = 0;        // index of its next call
  std::int64_t calls_made = 0;
  std::size_t caller = nobody;  // the job that waits for this one
  std::uint64_t number = 0;     // in the order of release
  std::size_t section = 0;      // index in its thread's sections
  bool begun = false;
  bool holds = false;                                      // has taken the locks of its section
  std::int64_t floor = unbounded, lane_floor = unbounded;  // deadlines that its locks and its lane give it
  bool missed = false;
};

// A ready job that does not run. Its place in the order does not change while it waits.
struct ReadyJob {
  std::int32_t level;
  std::int64_t rank;  // within the level: less goes first
  std::uint64_t number;
  std::size_t job;
  bool operator<(const ReadyJob& other) const {  // for a heap whose top goes first
    return std::tie(level, rank, number) > std::tie(other.level, other.rank, other.number);
  }
};

// The threads of one processor that have no reservation, or those of one reservation.
struct Cpu {
  std::int32_t processor = 0;
  std::size_t reservation = 0;  // 0: none
  bool active = true;           // whether it has the processor
  // For a reservation: the budget that is left until the deadline, as a constant bandwidth server has it.
  std::int64_t left = 0, deadline = 0;
  bool busy = false, used_up = false;
  std::priority_queue<ReadyJob> ready = {};
  std::size_t running = nobody;  // not in ready
  std::size_t slice_thread = nobody;
  std::int64_t slice_begin = 0;
};

Within within(Strategy strategy) {
  if (is_fixed(strategy)) return Within::queue;
  return strategy == Strategy::earliest_deadline_first ? Within::deadline : Within::laxity;
}

// It is large because the whole state of a simulated run is here.
class Player {
 public:
  Player(const Analysis& analysis, const SimulationOptions& options)
      : analysis_(analysis), options_(options), within_(within(analysis.options.strategy)) {
    const std::size_t count = analysis.threads.size();
    result_.threads.resize(count);
    calls_.resize(count);
    started_.resize(count);
    unfinished_.resize(count);
    cpu_of_.resize(count);
    sections_.resize(count);
    std::map<std::pair<std::int32_t, std::size_t>, std::size_t> cpus;
    for (std::size_t i = 0; i < count; ++i) {
      const Thread& thread = analysis.threads[i];
      const auto [place, is_new] = cpus.try_emplace({thread.processor, thread.reservation}, cpus_.size());
      if (is_new) cpus_.push_back({.processor = thread.processor, .reservation = thread.reservation});
      cpu_of_[i] = place->second;
      tick_ = std::gcd(tick_, std::gcd(thread.period.count(),
                                       std::gcd(thread.execution.count(), thread.deadline.count())));
      tick_ = std::gcd(tick_, std::gcd(thread.offset.count(), thread.distance.count()));
      tick_ = std::gcd(tick_, job_time(thread).count());
      tick_ = std::gcd(
          tick_, std::gcd(thread.phase.count(), std::gcd(thread.jitter.count(), thread.one_call.count())));
      if (thread.trigger) {
        auto& list = thread.trigger->type == DependencyType::two_way ? calls_ : started_;
        list[thread.trigger->thread].push_back(i);
        continue;
      }
      const std::int64_t arrival = first_arrival(thread, options).count();
      releases_.push({std::max<std::int64_t>(arrival, 0), arrival, i, 0});
    }
    if (tick_ == 0) tick_ = 1;
    for (std::size_t i = 0; i < count; ++i)
      if (calls_[i].empty()) sections_[i] = sections_of(analysis, i, job_time(analysis.threads[i]).count());
  }

  Simulation play() {
    release_due();
    while (now_ < options_.horizon.count()) {
      dispatch();
      const bool is_idle = std::ranges::all_of(cpus_, [](const Cpu& cpu) { return cpu.running == nobody; });
      if (is_idle && options_.stop_when_idle && now_ > 0) break;
      if (++steps_ > options_.most_steps || jobs_.size() > options_.most_unfinished) {
        result_.complete = false;
        break;
      }
      advance(next_event() - now_);
      if (options_.stop_at_miss && result_.misses > 0) break;
    }
    finish();
    return std::move(result_);
  }

 private:
  struct Release {
    std::int64_t time, arrival;
    std::size_t thread;
    std::int32_t number;  // within its burst
    bool operator<(const Release& other) const {
      return std::tie(time, thread, arrival) > std::tie(other.time, other.thread, other.arrival);
    }
  };

  // Decides which jobs run from now on.
  void dispatch() {
    for (Cpu& cpu : cpus_) preempt(cpu);
    for (Cpu& cpu : cpus_)
      if (cpu.reservation > 0) serve(cpu);
    for (Cpu& cpu : cpus_) {
      cpu.active = has_processor(cpu);
      if (cpu.active && cpu.running != nobody) begin(jobs_[cpu.running]);
    }
  }

  // The time of the next change: a release, or something of a job that runs or of its reservation.
  std::int64_t next_event() const {
    std::int64_t next = options_.horizon.count();
    if (!releases_.empty()) next = std::min(next, releases_.top().time);
    for (const Cpu& cpu : cpus_) {
      if (cpu.running == nobody) continue;
      if (cpu.active) next = std::min(next, add(now_, until_change(cpu)));
      if (cpu.active && cpu.reservation > 0) next = std::min(next, add(now_, cpu.left));
      if (cpu.used_up) next = std::min(next, cpu.deadline);
    }
    return next;
  }

  ReadyJob ready(std::size_t number) const {
    const Job& job = jobs_[number];
    const ThreadResult& result = analysis_.results[job.thread];
    const auto& sections = sections_[job.thread];
    const std::int32_t level =
        job.holds && !sections.empty() ? sections[job.section].level : result.load.level;
    return {level, rank(job, result.priority), job.number, number};
  }
  // A laxity is this rank less the time, which is the same for all jobs.
  std::int64_t rank(const Job& job, const ThreadPriority& priority) const {
    if (within_ == Within::deadline) return std::min(job.deadline, job.floor);
    // A lane goes on with the request that it has begun.
    const Load& load = analysis_.results[job.thread].load;
    if (job.begun && load.lane != 0) return -1;
    if (within_ == Within::laxity) return job.deadline - job.remaining - job.later;
    return (load.lane != 0 ? std::int64_t{load.within} << 32 : 0) + priority.subpriority;
  }

  // Gives a reservation a new budget when it becomes busy or its deadline has come (Abeni and Buttazzo 1998,
  // as Linux has it).
  void serve(Cpu& cpu) const {
    const Reservation& reserved = analysis_.reservations[cpu.reservation - 1];
    const std::int64_t budget = reserved.budget.count(), period = reserved.period.count();
    const bool was_busy = std::exchange(cpu.busy, cpu.running != nobody);
    if (cpu.used_up && now_ >= cpu.deadline) {
      cpu.used_up = false;
      cpu.left = budget;
      cpu.deadline = add(cpu.deadline, period);
    }
    if (!cpu.busy || was_busy || cpu.used_up) return;
    const bool enough =
        cpu.deadline > now_ && multiply(cpu.left, period) <= multiply(cpu.deadline - now_, budget);
    if (enough) return;
    cpu.left = budget;
    cpu.deadline = add(now_, period);
  }

  // Whether no reservation that goes first wants the processor.
  bool has_processor(const Cpu& cpu) const {
    if (cpu.reservation > 0 && (!cpu.busy || cpu.used_up)) return false;
    return std::ranges::none_of(cpus_, [&](const Cpu& other) {
      if (&other == &cpu || other.processor != cpu.processor || other.reservation == 0) return false;
      if (!other.busy || other.used_up) return false;
      return cpu.reservation == 0 ||
             std::tie(other.deadline, other.reservation) < std::tie(cpu.deadline, cpu.reservation);
    });
  }

  void begin(Job& job) const {
    if (!std::exchange(job.begun, true)) {
      job.begin = now_;
      enter_lane(job);
    }
    if (!std::exchange(job.holds, true)) take_locks(job);
  }

  void preempt(Cpu& cpu) {
    if (cpu.ready.empty()) return;
    if (cpu.running != nobody) {
      const ReadyJob now = ready(cpu.running), &other = cpu.ready.top();
      if (now.level < other.level) return;
      if (now.level == other.level && (within_ == Within::queue || now.rank <= other.rank)) return;
    }
    const std::size_t chosen = cpu.ready.top().job;
    cpu.ready.pop();
    if (cpu.running != nobody) cpu.ready.push(ready(cpu.running));
    cpu.running = chosen;
  }

  void enter_lane(Job& job) const {
    const auto& sections = sections_[job.thread];
    if (sections.empty() || sections.back().floor == unbounded) return;
    job.floor = job.lane_floor = now_ + sections.back().floor;
  }

  void take_locks(Job& job) const {
    const auto& sections = sections_[job.thread];
    if (sections.empty()) return;
    if (const std::int64_t floor = sections[job.section].floor; floor != unbounded)
      job.floor = std::min(job.floor, now_ + floor);
  }

  // Continues a job that has released a lock. Before it takes the next one, more urgent jobs may run. Returns
  // false if that was its last section.
  bool next_section(Job& job) const {
    const auto& sections = sections_[job.thread];
    if (job.section + 1 >= sections.size()) return false;
    job.remaining = sections[++job.section].time;
    job.later -= job.remaining;
    job.holds = false;
    job.floor = job.lane_floor;
    return true;
  }

  // How long nothing changes unless there is a release.
  std::int64_t until_change(const Cpu& cpu) const {
    const Job& job = jobs_[cpu.running];
    if (within_ != Within::laxity || cpu.ready.empty()) return job.remaining;
    const ReadyJob now = ready(cpu.running), &other = cpu.ready.top();
    if (now.level != other.level) return job.remaining;
    return std::min(job.remaining, std::max<std::int64_t>(0, other.rank - now.rank) + tick_);
  }

  void advance(std::int64_t time) {
    for (Cpu& cpu : cpus_) {
      const bool runs = cpu.active && cpu.running != nobody;
      const std::size_t thread = runs ? jobs_[cpu.running].thread : nobody;
      if (thread != cpu.slice_thread) begin_slice(cpu, thread);
      if (!runs) continue;
      jobs_[cpu.running].remaining -= time;
      if (cpu.reservation == 0) continue;
      cpu.left -= time;
      cpu.used_up = cpu.left == 0;
    }
    now_ += time;
    for (Cpu& cpu : cpus_)
      while (cpu.active && cpu.running != nobody && jobs_[cpu.running].remaining == 0) {
        const std::size_t job = cpu.running;
        if (next_section(jobs_[job])) break;
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
      start(due.thread, due.arrival, job_time(thread).count(), nobody);
      const bool last = due.number + 1 == thread.burst;
      const Time gap = last ? thread.period - due.number * thread.distance : thread.distance;
      const std::int64_t arrival = add(due.arrival, gap.count());
      releases_.push({std::max(arrival, due.time), arrival, due.thread, last ? 0 : due.number + 1});
    }
  }

  void start(std::size_t thread, std::int64_t arrival, std::int64_t execution, std::size_t caller) {
    std::size_t job = free_.empty() ? jobs_.size() : free_.back();
    if (free_.empty())
      jobs_.emplace_back();
    else
      free_.pop_back();
    Job& made = jobs_[job];
    made = {.thread = thread,
            .arrival = arrival,
            .deadline = add(arrival, analysis_.threads[thread].deadline.count()),
            .remaining = execution,
            .caller = caller,
            .number = ++jobs_made_};
    if (caller != nobody) made.deadline = jobs_[caller].deadline;
    if (!calls_[thread].empty()) {
      made.later = execution - execution / 2;
      made.remaining = execution / 2;
    } else if (!sections_[thread].empty()) {
      made.remaining = sections_[thread].front().time;
      made.later = execution - made.remaining;
    }
    if (caller == nobody) unfinished_[thread].push({job, made.number});
    // A job that takes no time ends when it would run.
    if (made.remaining > 0 || execution == 0)
      cpus_[cpu_of_[thread]].ready.push(ready(job));
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
      cpus_[cpu_of_[thread]].ready.push(ready(job));
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
    const Job job = std::exchange(jobs_[number], {});
    free_.push_back(number);
    Observed& seen = result_.threads[job.thread];
    ++seen.jobs;
    if (job.caller != nobody) return go_on(job.caller);
    if (result_.jobs.size() < options_.most_jobs)
      result_.jobs.push_back(
          {job.thread, Time(job.arrival), Time(job.begin < 0 ? now_ : job.begin), Time(now_)});
    seen.worst_response = std::max(seen.worst_response, Time(now_ - job.arrival));
    if (now_ > job.deadline && !job.missed) note_miss(job);
    for (const std::size_t next : started_[job.thread])
      start(next, job.arrival, job_time(analysis_.threads[next]).count(), nobody);
  }

  void note_miss(const Job& job) {
    Observed& seen = result_.threads[job.thread];
    ++seen.misses;
    ++result_.misses;
    const Time at(std::max<std::int64_t>(0, job.deadline));  // it may have passed before the first release
    if (!seen.first_miss || *seen.first_miss > at) seen.first_miss = at;
  }

  // Counts the jobs that have reached their deadlines and are not done. The deadlines of a thread's jobs
  // follow each other as the jobs do.
  void look_for_late(std::size_t thread) {
    auto& jobs = unfinished_[thread];
    for (; !jobs.empty(); jobs.pop()) {
      Job& job = jobs_[jobs.front().job];
      if (job.number != jobs.front().number) continue;  // it is done
      if (job.deadline > now_) return;
      job.missed = true;
      note_miss(job);
    }
  }

  void finish() {
    for (Cpu& cpu : cpus_) begin_slice(cpu, nobody);
    for (std::size_t thread = 0; thread < unfinished_.size(); ++thread) look_for_late(thread);
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
  std::vector<std::vector<Section>> sections_;
  struct Unfinished {
    std::size_t job;
    std::uint64_t number;  // Job::number; the place of a job that is done is another's
  };
  std::vector<std::queue<Unfinished>>
      unfinished_;  // by thread: jobs without callers, in the order of release
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

Time first_arrival(const Thread& thread, const SimulationOptions& options) {
  if (!options.critical_instant) return thread.phase;
  if (thread.transaction == 0) return -thread.jitter;
  const bool given = thread.transaction <= options.ticks.size();
  const Time tick = given ? options.ticks[thread.transaction - 1] : Time(0);
  // The first arrival whose jitter ends at 0 or later.
  const Time behind = (tick + thread.offset + thread.jitter) % thread.period;
  return (behind < Time(0) ? behind + thread.period : behind) - thread.jitter;
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
