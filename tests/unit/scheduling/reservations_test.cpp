// Lanes with reserved processor time.
#include "schedulability/simulation/random_sets.h"
#include "schedulability/simulation/simulator.h"
#include "scheduling/output/report.h"
#include "sets.h"

namespace takt::scheduling::reservations_test {
namespace {

void reserve(Repository& repository, const std::string& name, std::int64_t budget, std::int64_t period,
             std::int32_t processor = 0) {
  const auto added = repository.add_reservation({name, Time(budget), Time(period), processor});
  EXPECT_TRUE(added) << added.error().text;
}
Requirements in(const std::string& reservation, Requirements wanted) {
  wanted.reservation = reservation;
  return wanted;
}

// Computed by hand: after a budget that has just been used up, the next one comes at the end of its period.
TEST(Supply, ABudgetMayComeEarlyAndThenLate) {
  const Supply supply{2, 10};
  EXPECT_EQ(supply.time_for(0), 0);
  EXPECT_EQ(supply.time_for(1), 8 + 8 + 1);
  EXPECT_EQ(supply.time_for(2), 8 + 8 + 2);
  EXPECT_EQ(supply.time_for(3), 8 + 8 + 2 + 8 + 1);
  EXPECT_EQ(Supply{}.time_for(7), 7);
  EXPECT_EQ((Supply{10, 10}.time_for(7)), 7);
  EXPECT_EQ(supply.time_for(unbounded), unbounded);
}

TEST(Reservations, GiveTheirThreadsABudgetAndDelayOthers) {
  Repository repository = operations({in("camera", needs(3, 60)), needs(3, 50), in("camera", needs(1, 80))});
  reserve(repository, "camera", 2, 10);
  const auto analysis = analysed(repository, Strategy::rate_monotonic);
  EXPECT_EQ(response(analysis, 1), Supply({2, 10}).time_for(3 + 1)) << "and one lower request";
  EXPECT_EQ(response(analysis, 2), 3 + 2 * 2) << "two budgets right after each other";
  EXPECT_EQ(response(analysis, 3), Supply({2, 10}).time_for(3 + 1));
  EXPECT_EQ(analysis.processors[0].liu_layland, std::nullopt);
  const std::string text = report(repository, analysis);
  EXPECT_TRUE(contains(
      text, "\nreservation 'camera' on processor 0: 2 ns of every 10 ns, 20.0 %; its threads use 6.2 %\n"))
      << text;
}

TEST(Reservations, OverloadHasNoBound) {
  Repository repository = operations({in("camera", needs(3, 10)), needs(3, 50)});
  reserve(repository, "camera", 2, 10);
  const auto analysis = analysed(repository, Strategy::rate_monotonic);
  EXPECT_EQ(result(analysis, 1).response, std::nullopt);
  EXPECT_EQ(analysis.verdict, Verdict::unproven);
  EXPECT_EQ(response(analysis, 2), 7) << "an overload stays within its budget";
}

TEST(Reservations, TheReportNamesThem) {
  Repository repository = operations({in("camera", needs(3, 60, 20)), needs(3, 50, 5)});
  reserve(repository, "camera", 2, 10);
  const std::string text = report(repository, analysed(repository, Strategy::rate_monotonic));
  EXPECT_TRUE(
      contains(text,
               "'1' is not proven to meet its deadline of 20 ns: the bound is over it by 7 ns. Of the "
               "27 ns until its job 1 is done: 3 ns for itself, 24 ns for waiting for its budget."))
      << text;
  EXPECT_TRUE(
      contains(text,
               "'2' is not proven to meet its deadline of 5 ns: the bound is over it by 2 ns. Of the 7 "
               "ns until its job 1 is done: 4 ns for reservation 'camera', 3 ns for itself."))
      << text;
}

std::string refused(Reservation wanted) {
  Repository repository;
  reserve(repository, "there", 1, 2);
  const auto added = repository.add_reservation(std::move(wanted));
  return added ? "" : added.error().text;
}

TEST(Reservations, WrongOnesAreRefused) {
  EXPECT_EQ(refused({"", Time(1), Time(2)}),
            "reservation '' has a name that is empty or has a control character");
  EXPECT_EQ(refused({"there", Time(1), Time(2)}), "reservation 'there' is already registered");
  EXPECT_EQ(refused({"r", Time(1), Time(0)}),
            "reservation 'r' has a period of 0 ns; the range is 1 to 9007199254740992 ns");
  EXPECT_EQ(refused({"r", Time(0), Time(9)}),
            "reservation 'r' has a budget of 0 ns; the range is 1 ns to its period, 9 ns");
  EXPECT_EQ(refused({"r", Time(10), Time(9)}),
            "reservation 'r' has a budget of 10 ns; the range is 1 ns to its period, 9 ns");
  EXPECT_EQ(refused({"r", Time(1), Time(9), -1}), "reservation 'r' has the processor -1, which there is not");
  Requirements both = in("r", needs(1, 10));
  both.lane = "l";
  Repository repository;
  EXPECT_EQ(repository.set(*repository.create("a"), both).error().text,
            "operation 'a' has the lane 'l' and the reservation 'r', which is a lane itself; leave one of "
            "them out");
  both.lane = "";
  both.reservation = "\n";
  EXPECT_EQ(repository.set(1, both).error().text,
            "operation 'a' has a reservation whose name has a control character");
}

std::string unusable(Repository repository, Strategy strategy = Strategy::rate_monotonic) {
  reserve(repository, "r", 5, 10);
  PriorityOptions options;
  options.strategy = strategy;
  const auto analysis = analyse(repository, options);
  return analysis ? "" : text_of(analysis.error());
}

TEST(Reservations, ThoseThatDoNotFitAreRefused) {
  Repository full;
  reserve(full, "first", 6, 10);
  EXPECT_EQ(
      unusable(full),
      "reservation 'r': it and the reservations before it on processor 0 take more than all of its time");
  EXPECT_EQ(unusable(operations({in("x", needs(1, 10))})),
            "operation '1' has the reservation 'x', which is not declared");
  Requirements wanted = in("r", needs(1, 10));
  wanted.processor = 1;
  EXPECT_EQ(unusable(operations({wanted})),
            "operation '1' is on processor 1, but its reservation 'r' is on processor 0");
  wanted.processor = 0;
  wanted.locks = {{"bus", Time(1)}};
  EXPECT_EQ(
      unusable(operations({wanted})),
      "operation '1' has the reservation 'r' and the lock 'bus', which it keeps while its budget is used up; "
      "that is not analysed");
  Requirements lane = needs(1, 10);
  lane.lane = "r";
  EXPECT_EQ(unusable(operations({lane})),
            "operation '1' has a lane 'r', the name of a reservation; declare the reservation instead");
  Repository called = operations({needs(1, 10), in("r", needs(1, 0))});
  depend(called, 1, 2);
  EXPECT_EQ(
      unusable(called),
      "operation '2' has the reservation 'r', but runs in the thread of '1', which calls it; declare a lock "
      "that it holds instead");
  EXPECT_EQ(
      unusable(operations({needs(1, 10)}), Strategy::earliest_deadline_first),
      "reservation 'r': reservations are analysed for rate monotonic and deadline monotonic priorities, not "
      "for earliest deadline first");
}

// Two reservations, which may take the whole processor, and other threads; some are started by others.
Repository any_set(RandomSets& random) {
  constexpr std::int64_t periods[] = {40, 60, 80, 120, 240};
  Repository repository;
  const std::int64_t first = random.between(2, 8);
  const std::int64_t second = random.between(1, random.between(0, 1) == 0 ? 10 - first : 20 - 2 * first);
  reserve(repository, "a", first, 10);
  reserve(repository, "b", std::min(second, 20 - 2 * first), 20);
  const std::int64_t count = random.between(2, 6);
  for (const double part :
       random.utilisations(static_cast<std::size_t>(count), 0.3 + 0.5 * random.fraction())) {
    const std::int64_t period = random.one_of(std::span<const std::int64_t>(periods));
    const auto handle = static_cast<Handle>(repository.infos().size() + 1);
    const bool started = handle > 1 && random.between(0, 3) == 0;
    Requirements wanted = needs(std::max<std::int64_t>(1, std::llround(part * static_cast<double>(period))),
                                started ? 0 : period, random.between(period / 2, 2 * period));
    constexpr const char* names[] = {"a", "b", ""};
    wanted.reservation = names[random.between(0, 2)];
    if (!started && random.between(0, 2) == 0) wanted.jitter = Time(random.between(0, period));
    if (!started && random.between(0, 3) == 0)
      wanted.burst = 2, wanted.distance = Time(random.between(0, period / 2));
    if (!started && wanted.reservation.empty() && wanted.burst == 1 && random.between(0, 2) == 0) {
      wanted.transaction = "clock " + std::to_string(period);
      wanted.offset = Time(random.between(0, period - 1));
    }
    declare(repository, std::to_string(handle), wanted);
    if (started)
      depend(repository, static_cast<Handle>(random.between(1, handle - 1)), handle, 1,
             DependencyType::one_way);
  }
  return repository;
}

TEST(Reservations, RandomSetsKeepTheirBounds) {
  RandomSets random(71);
  int bounds = 0, near = 0, reserved = 0;
  for (int i = 0; i < 3000 && !testing::Test::HasFailure(); ++i) {
    Repository repository = any_set(random);
    for (int phasing = 0; phasing < 3; ++phasing) {
      const Time clock(random.between(0, 60));
      for (const RtInfo& each : std::vector(repository.infos().begin(), repository.infos().end())) {
        const bool free = each.transaction.empty() && phasing > 0;
        repository.at_valid(each.handle).phase = free ? Time(random.between(0, 60)) : clock;
      }
      const Analysis analysis = analysed(repository, Strategy::deadline_monotonic, i % 3 != 0);
      const auto played = simulate(analysis, {.horizon = Time(3'000), .critical_instant = phasing == 0});
      for (std::size_t k = 0; k < analysis.threads.size(); ++k) {
        const ThreadResult& said = analysis.results[k];
        const Time seen = played.threads[k].worst_response;
        const std::string what = "seed 71, set " + std::to_string(i) + ", phasing " +
                                 std::to_string(phasing) + ", thread " + std::to_string(k);
        if (said.verdict == Verdict::meets) {
          EXPECT_EQ(played.threads[k].misses, 0u) << what;
        }
        const bool soon = analysis.processors[0].utilisation < 0.95;  // an overload may take longer to show
        if (said.verdict == Verdict::misses && phasing == 0 && soon && analysis.threads[k].transaction == 0) {
          EXPECT_GT(played.threads[k].misses, 0u) << what;
        }
        if (!said.response) continue;
        EXPECT_LE(seen, *said.response) << what;
        ++bounds;
        reserved += analysis.threads[k].reservation > 0;
        near += analysis.threads[k].reservation > 0 && seen.count() * 4 >= said.response->count() * 3;
      }
    }
  }
  EXPECT_GT(bounds, 10'000);
  EXPECT_GT(reserved, 3'000);
  EXPECT_GT(near, 300);
}

}  // namespace
}  // namespace takt::scheduling::reservations_test
