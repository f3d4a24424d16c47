// Checks predictions of the analysis on this machine: servants that spin, in lanes of SCHED_FIFO on one
// processor, called periodically from another. Prints a line of JSON for each set.
//
// bench_schedule_machine sets|overruns --seed N --seconds N [--calibration SECONDS --sets N --levels N
//                        --margin PERCENT]
#include <algorithm>
#include <cstdio>
#include <optional>

#include "common/options.h"
#include "common/serve.h"
#include "schedulability/analysis/analysis.h"
#include "schedule/hiccups.h"
#include "schedule/periodic.h"
#include "schedule/task_sets.h"

namespace {

using namespace bench;
using takt::scheduling::Analysis;
using takt::scheduling::RandomSets;
using takt::scheduling::Repository;

constexpr double least_utilisation = 0.4, most_utilisation = 0.7;

using Wall = std::chrono::duration<double>;
nanoseconds length_of(double seconds) { return std::chrono::duration_cast<nanoseconds>(Wall(seconds)); }

// The 99th percentile of the time from release to reply for empty calls, at the most and the least urgent
// level.
nanoseconds overhead_of_a_call(LaneServer& server, int levels) {
  std::vector<nanoseconds> all;
  for (const int level : {0, levels - 1})
    for (const Responses& seen :
         run(server, {{std::chrono::milliseconds(5), {}, level}}, std::chrono::seconds(1)))
      all.insert(all.end(), seen.all.begin(), seen.all.end());
  std::ranges::sort(all);
  return all[all.size() * 99 / 100];
}

struct Settings {
  int levels = 8;
  double margin = 0;  // a fraction of the execution times
  nanoseconds overhead{}, length{}, calibration{};
  nanoseconds hold_up{};  // delay of the most urgent thread by the machine
};

// The declared operations with overhead and margin added, for the analysis.
Repository with_margins(const Repository& declared, const Settings& settings) {
  Repository result;
  for (const auto& info : declared.infos()) {
    const auto padded = static_cast<double>((info.worstcase_execution_time + settings.overhead).count());
    declare(result, padded * (1 + settings.margin) / static_cast<double>(info.period.count()),
            info.period.count(), 1.0, settings.hold_up);
  }
  return result;
}

std::optional<Analysis> feasible(const Repository& declared, const Settings& settings) {
  auto analysis = analyse(with_margins(declared, settings),
                          {.level_each = true, .levels = settings.levels, .share_levels = true});
  if (!analysis || analysis->verdict != takt::scheduling::Verdict::meets) return {};
  return std::move(*analysis);
}

// A random set without periods so short that the machine's own delays could exceed half of them.
Repository random_set(RandomSets& random, nanoseconds hold_up) {
  const auto first = std::ranges::find_if(
      periods_ms, [&](std::int64_t period) { return period * millisecond >= 2 * hold_up.count(); });
  const std::span periods(first, periods_ms + 43);  // up to 504 ms
  const auto count = static_cast<std::size_t>(random.between(5, 50));
  const double total = least_utilisation + (most_utilisation - least_utilisation) * random.fraction();
  Repository repository;
  for (const double each : random.utilisations(count, total))
    declare(repository, each, random.one_of(periods) * millisecond);
  return repository;
}

std::vector<Job> jobs_of(const Repository& declared, const Analysis& analysis) {
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < analysis.threads.size(); ++i) {
    const auto& info = declared.infos()[static_cast<std::size_t>(analysis.threads[i].entry - 1)];
    jobs.push_back({info.period, info.worstcase_execution_time, analysis.results[i].priority.level});
  }
  return jobs;
}

struct Run {
  std::vector<Responses> seen;
  nanoseconds hiccup{};
};
Run run_watched(LaneServer& server, const std::vector<Job>& jobs, nanoseconds length) {
  Hiccups clients(processors().client), lanes(processors().server);
  auto seen = run(server, jobs, length);
  return {std::move(seen), std::max(clients.end(), lanes.end())};
}

// Measures the machine's own delays under a load like that of the later sets.
nanoseconds hold_up_of_machine(LaneServer& server, RandomSets& random, const Settings& settings) {
  nanoseconds longest{};
  for (nanoseconds watched{}; watched < settings.calibration;) {
    const Repository declared = random_set(random, {});
    const auto analysis = feasible(declared, settings);
    if (!analysis) continue;
    longest = std::max(longest, run_watched(server, jobs_of(declared, *analysis), settings.length).hiccup);
    watched += settings.length;
  }
  return longest;
}

void run_set(LaneServer& server, const Repository& declared, const Analysis& analysis,
             const Settings& settings) {
  const std::vector<Job> jobs = jobs_of(declared, analysis);
  double utilisation = 0;
  for (const Job& job : jobs)
    utilisation += static_cast<double>(job.execution.count()) / static_cast<double>(job.period.count());
  const auto [seen, hiccup] = run_watched(server, jobs, settings.length);
  std::int64_t exceeded = 0, beyond_hiccup = 0, misses = 0, count = 0;
  double nearest = 0;
  nanoseconds excess{};
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const nanoseconds bound = *analysis.results[i].response;
    exceeded += seen[i].longest > bound;
    beyond_hiccup += seen[i].longest > bound + hiccup;
    excess = std::max(excess, seen[i].longest - bound);
    nearest =
        std::max(nearest, static_cast<double>(seen[i].longest.count()) / static_cast<double>(bound.count()));
    misses += seen[i].misses;
    count += seen[i].jobs;
  }
  std::printf(
      "{\"part\": \"machine\", \"operations\": %zu, \"levels\": %d, \"utilisation\": %.3f, \"jobs\": %lld, "
      "\"bounds_exceeded\": %lld, \"most_over_ns\": %lld, \"nearest_to_bound\": %.3f, \"misses\": %lld, "
      "\"overhead_ns\": %lld, \"margin_percent\": %g, \"hold_up_ns\": %lld, \"hiccup_ns\": %lld, "
      "\"exceeded_beyond_hiccup\": %lld}\n",
      seen.size(), settings.levels, utilisation, static_cast<long long>(count),
      static_cast<long long>(exceeded), static_cast<long long>(excess.count()), nearest,
      static_cast<long long>(misses), static_cast<long long>(settings.overhead.count()),
      100 * settings.margin, static_cast<long long>(settings.hold_up.count()),
      static_cast<long long>(hiccup.count()), static_cast<long long>(beyond_hiccup));
  std::fflush(stdout);
}

void run_sets(const Options& options) {
  Settings settings{.levels = static_cast<int>(options.number("levels", 8)),
                    .margin = options.number("margin", 10) / 100,
                    .length = length_of(options.number("seconds", 3)),
                    .calibration = length_of(options.number("calibration", 3))};
  if (settings.length <= nanoseconds(0)) throw std::runtime_error("--seconds must be above zero");
  RandomSets random(static_cast<std::uint64_t>(options.number("seed", 1)));
  LaneServer server(settings.levels, processors());
  settings.overhead = overhead_of_a_call(server, settings.levels);
  settings.hold_up =
      length_of(Wall(hold_up_of_machine(server, random, settings)).count() * (1 + settings.margin));
  int drawn = 0;
  for (int sets = static_cast<int>(options.number("sets", 4)); sets > 0 && drawn < 1000; ++drawn) {
    const Repository declared = random_set(random, settings.hold_up);
    const auto analysis = feasible(declared, settings);
    if (!analysis) continue;  // infeasible with the margins
    run_set(server, declared, *analysis, settings);
    --sets;
  }
}

struct Group {
  const char* name;
  std::chrono::milliseconds period, execution;
  void (Bench::Load::*operation)(std::uint64_t);
};

// Together they declare half of the processor.
constexpr Group groups[] = {
    {"fast", std::chrono::milliseconds(20), std::chrono::milliseconds(4), &Bench::Load::fast},
    {"middle", std::chrono::milliseconds(50), std::chrono::milliseconds(5), &Bench::Load::middle},
    {"slow", std::chrono::milliseconds(100), std::chrono::milliseconds(20), &Bench::Load::slow}};

struct Overrun {
  double times;  // the factor by which all but the fast group exceed their declared times
  takt::rt::OnOverrun policy;
  const char* name;
  const char* reservation = "";  // the operating system's, for the fast group
};

void run_overrun(const Overrun& overrun, nanoseconds length) {
  std::vector<takt::rt::ScheduledOperation> schedule;
  std::vector<Job> jobs;
  double load = 0;
  for (const Group& group : groups) {
    // A tenth more than the declared spin time, for the call.
    schedule.push_back({.name = std::string("Bench::Load::") + group.name,
                        .period = group.period,
                        .deadline = group.period,
                        .execution = nanoseconds(group.execution) * 11 / 10,
                        .on_overrun = overrun.policy,
                        .on_early = takt::rt::OnEarly::count});
    const nanoseconds taken = length_of(Wall(group.execution).count() * (jobs.empty() ? 1 : overrun.times));
    load += Wall(taken) / Wall(group.period);
    jobs.push_back({group.period, taken, static_cast<int>(jobs.size()), group.operation});
  }
  LaneServer server(3, processors(), schedule, overrun.reservation);
  const auto seen = run(server, jobs, length);
  const auto counted = server.statistics();
  std::printf(
      "{\"part\": \"overruns\", \"load\": %.2f, \"policy\": \"%s\", \"highest_jobs\": %lld, "
      "\"highest_misses\": %lld, \"highest_longest_ns\": %lld, \"highest_overruns\": %llu, \"lower_jobs\": "
      "%lld, "
      "\"lower_overruns\": %llu, \"lower_refused\": %lld, \"lower_misses\": %lld}\n",
      load, overrun.name, static_cast<long long>(seen[0].jobs), static_cast<long long>(seen[0].misses),
      static_cast<long long>(seen[0].longest.count()), static_cast<unsigned long long>(counted[0].overruns),
      static_cast<long long>(seen[1].jobs + seen[2].jobs),
      static_cast<unsigned long long>(counted[1].overruns + counted[2].overruns),
      static_cast<long long>(seen[1].refused + seen[2].refused),
      static_cast<long long>(seen[1].misses + seen[2].misses));
  std::fflush(stdout);
}

void run_overruns(const Options& options) {
  using takt::rt::OnOverrun;
  const nanoseconds length = length_of(options.number("seconds", 3));
  for (const Overrun& overrun : {Overrun{1.0, OnOverrun::count, "count"},
                                 {2.2, OnOverrun::count, "count"},
                                 {3.7, OnOverrun::count, "count"},
                                 {3.7, OnOverrun::count, "count, 50 Hz reserved", "6ms/20ms"},
                                 {3.7, OnOverrun::refuse, "refuse"}})
    run_overrun(overrun, length);
}

}  // namespace

int main(int argc, char** argv) {
  return run_main("bench_schedule_machine", [&] {
    const std::string part = argc > 1 ? argv[1] : "";
    const Options options(argc - 1, argv + 1);
    if (!may_use_real_time()) throw std::runtime_error("real-time priorities need CAP_SYS_NICE");
    if (part == "sets") return run_sets(options);
    if (part == "overruns") return run_overruns(options);
    throw std::runtime_error("usage: bench_schedule_machine sets|overruns [--key value ...]");
  });
}
