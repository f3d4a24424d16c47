// Systems that use all keys at once: transactions, locks, lanes, bursts, reservations, chains and calls.
#include "played_chains.h"
#include "schedulability/model/declaration.h"
#include "schedulability/simulation/random_sets.h"
#include "sets.h"

namespace takt::scheduling::mixture_test {
namespace {

class Mixture {
 public:
  explicit Mixture(std::uint64_t seed) : random_(seed) {}

  std::int64_t any(std::int64_t least, std::int64_t most) { return random_.between(least, most); }
  bool one_in(std::int64_t number) { return any(1, number) == 1; }

  Repository system() {
    Repository repository;
    for (const std::int32_t processor : {0, 1})
      if (one_in(2)) {
        const auto added = repository.add_reservation(
            {"reserved " + std::to_string(processor), Time(any(2, 6)), Time(any(8, 16)), processor});
        EXPECT_TRUE(added) << added.error().text;
      }
    const std::int64_t count = any(3, 8);
    for (const double part :
         random_.utilisations(static_cast<std::size_t>(count), 0.5 + 0.8 * random_.fraction()))
      add(repository, part);
    std::vector<ChainStep> steps;
    for (Handle each = 1; each <= first_operations_; ++each)
      if (one_in(2)) steps.push_back({each, Time(steps.empty() ? 0 : any(0, 3))});
    if (!steps.empty()) {
      EXPECT_TRUE(repository.add_chain({.name = "chain", .steps = steps}));
    }
    return repository;
  }

 private:
  void add(Repository& repository, double part) {
    constexpr std::int64_t periods[] = {40, 60, 80, 120, 240};
    const std::int64_t period = random_.one_of(std::span<const std::int64_t>(periods));
    Requirements wanted = needs(std::max<std::int64_t>(1, std::llround(part * static_cast<double>(period))),
                                period, any(period / 2, 2 * period));
    wanted.processor = static_cast<std::int32_t>(any(0, 1));
    const std::string place = " " + std::to_string(wanted.processor);
    for (const Reservation& each : repository.reservations())
      if (each.processor == wanted.processor && one_in(2)) wanted.reservation = each.name;
    if (one_in(3)) wanted.jitter = Time(any(0, period));
    if (one_in(3)) {
      wanted.transaction = "clock " + std::to_string(period);
      wanted.offset = Time(any(0, period - 1));
    } else if (one_in(3)) {
      wanted.burst = static_cast<std::int32_t>(any(2, 3));
      wanted.distance = Time(any(0, period / wanted.burst));
      wanted.worstcase_execution_time = Time(1 + wanted.worstcase_execution_time.count() / wanted.burst);
    }
    if (wanted.reservation.empty()) {
      if (one_in(3)) wanted.lane = "lane" + place;
      for (const char* lock : {"a", "b"})
        if (one_in(4))
          wanted.locks.push_back({lock + place, Time(any(1, wanted.worstcase_execution_time.count()))});
    }
    const Handle handle = declare(repository, std::to_string(repository.infos().size() + 1), wanted);
    if (!one_in(3)) return;
    Requirements called = needs(any(1, 4), 0);
    called.processor = static_cast<std::int32_t>(any(0, 1));
    const bool may_wait = wanted.lane.empty() && wanted.reservation.empty() && wanted.burst == 1;
    const bool waits = may_wait && called.processor != wanted.processor && one_in(2);
    if (one_in(3)) called.lane = "lane " + std::to_string(called.processor);
    const Handle callee = declare(repository, "called by " + std::to_string(handle), called);
    depend(repository, handle, callee, any(1, 2), waits ? DependencyType::two_way : DependencyType::one_way);
  }

  static constexpr Handle first_operations_ = 2;
  RandomSets random_;
};

// Operations that a caller waits for cannot be in a chain, so the system is made anew.
std::optional<Analysis> usable(const Repository& repository, bool level_each) {
  PriorityOptions options;
  options.strategy = Strategy::deadline_monotonic;
  options.level_each = level_each;
  auto analysis = analyse(repository, options);
  if (analysis) return std::move(*analysis);
  EXPECT_TRUE(contains(text_of(analysis.error()), "runs while its caller waits"))
      << text_of(analysis.error());
  return std::nullopt;
}

struct Count {
  int systems = 0, bounds = 0, met = 0, chains = 0;
};

void compare(const Repository& repository, const Analysis& analysis, bool together, const std::string& what,
             Count& count) {
  const auto played =
      simulate(analysis, {.horizon = Time(2'500), .critical_instant = together, .most_jobs = 100'000});
  const std::string text = what + toml_of(declarations_of(repository, ""));
  for (std::size_t k = 0; k < analysis.threads.size(); ++k) {
    if (is_call(analysis.threads[k])) continue;
    const ThreadResult& said = analysis.results[k];
    count.met += said.verdict == Verdict::meets;
    if (said.verdict == Verdict::meets) {
      EXPECT_EQ(played.threads[k].misses, 0u) << "thread " << k << ", " << text;
    }
    if (!said.response) continue;
    ++count.bounds;
    EXPECT_LE(played.threads[k].worst_response, *said.response) << "thread " << k << ", " << text;
  }
  for (std::size_t k = 0; k < analysis.chains.size(); ++k) {
    const ChainResult& said = analysis.chains[k];
    if (!said.age) continue;
    ++count.chains;
    const PlayedChain seen = ChainPlayer(played, repository.chains()[k], said.threads).look();
    EXPECT_LE(seen.age, *said.age) << text;
    EXPECT_LE(seen.reaction, *said.reaction) << text;
  }
}

TEST(Mixtures, NoSimulationIsBeyondABound) {
  constexpr std::uint64_t first_seed = 100'000;
  Count count;
  for (std::uint64_t seed = first_seed; seed < first_seed + 2000 && !testing::Test::HasFailure(); ++seed) {
    Mixture mixture(seed);
    Repository repository = mixture.system();
    for (int phasing = 0; phasing < 3; ++phasing) {
      const Time clock(mixture.any(0, 60));
      for (const RtInfo& each : std::vector(repository.infos().begin(), repository.infos().end()))
        repository.at_valid(each.handle).phase = each.transaction.empty() ? Time(mixture.any(0, 60)) : clock;
      const auto analysis = usable(repository, seed % 3 != 0);
      if (!analysis) break;
      count.systems += phasing == 0;
      compare(repository, *analysis, phasing == 0, "seed " + std::to_string(seed), count);
    }
  }
  EXPECT_GT(count.systems, 1500);
  EXPECT_GT(count.bounds, 10'000);
  EXPECT_GT(count.met, 10'000);
  EXPECT_GT(count.chains, 1'000);
}

}  // namespace
}  // namespace takt::scheduling::mixture_test
