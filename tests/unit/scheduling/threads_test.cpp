#include "schedulability/model/threads.h"

#include "sets.h"

namespace takt::scheduling {
namespace {

std::vector<Thread> found(const Repository& repository) {
  auto threads = find_threads(repository);
  EXPECT_TRUE(threads) << threads.error().text;
  return threads ? *threads : std::vector<Thread>();
}

TEST(Threads, BeginAtTerminalNodes) {
  // a calls b, b calls c; d is independent.
  Repository repository = operations({needs(1, 100), needs(2, 0), needs(4, 0), needs(8, 50)});
  depend(repository, 1, 2);
  depend(repository, 2, 3);
  const auto threads = found(repository);
  ASSERT_EQ(threads.size(), 2u);
  EXPECT_EQ(threads[0].members, (std::vector<Handle>{1, 2, 3}));
  EXPECT_EQ(threads[0].execution, Time(7));
  EXPECT_EQ(threads[1].members, std::vector<Handle>{4});
}

TEST(Threads, CountCallsAlongThePaths) {
  // 1 calls 2 three times and 3 twice; 2 calls 3 five times.
  Repository repository = operations({needs(1, 1000), needs(10, 0), needs(100, 0)});
  depend(repository, 1, 2, 3);
  depend(repository, 1, 3, 2);
  depend(repository, 2, 3, 5);
  EXPECT_EQ(found(repository)[0].execution, Time(1 + 3 * 10 + (2 + 3 * 5) * 100));
}

TEST(Threads, PayTheWorstCaseOncePerPeriodWhereResultsAreCached) {
  Requirements cached = needs(100, 0);
  cached.cached_execution_time = Time(3);
  cached.typical_execution_time = Time(50);
  Repository repository = operations({needs(1, 1000), cached, needs(10, 0)});
  depend(repository, 1, 2, 4);
  depend(repository, 2, 3, 2);  // not called when the answer is cached
  const auto threads = found(repository);
  EXPECT_EQ(threads[0].execution, Time(1 + 100 + 3 * 3 + 2 * 10));
  EXPECT_EQ(threads[0].typical, Time(1 + 50 + 3 * 3 + 2 * 10));
}

TEST(Threads, APassiveOperationBelongsToAllThatCallIt) {
  Repository repository = operations({needs(1, 100), needs(2, 50), needs(4, 0)});
  depend(repository, 1, 3);
  depend(repository, 2, 3, 2);
  const auto threads = found(repository);
  ASSERT_EQ(threads.size(), 2u);
  EXPECT_EQ(threads[0].execution, Time(5));
  EXPECT_EQ(threads[1].execution, Time(10));
}

TEST(Threads, TakeTheShortestPeriodThatTheyVisit) {
  Repository repository = operations({needs(1, 0), needs(1, 200), needs(1, 100)});
  depend(repository, 1, 2);
  depend(repository, 2, 3);
  EXPECT_EQ(found(repository)[0].period, Time(100));
}

TEST(Threads, ARateIsImpliedByWhatAnOperationDependsOn) {
  Requirements active = needs(5, 40);
  active.threads = 1;
  Repository repository = operations({needs(1, 0), active});
  depend(repository, 1, 2);  // only data: 2 has a thread of its own
  const auto threads = found(repository);
  ASSERT_EQ(threads.size(), 2u);
  EXPECT_EQ(threads[0].period, Time(40));
  EXPECT_EQ(threads[0].execution, Time(1));
}

TEST(Threads, OfAnActiveObjectAllRun) {
  Requirements active = needs(5, 40);
  active.threads = 3;
  EXPECT_EQ(found(operations({active}))[0].execution, Time(15));
}

TEST(Threads, EachOfAnActiveObjectMakesItsCalls) {
  Requirements active = needs(5, 40);
  active.threads = 3;
  Repository repository = operations({active, needs(2, 0)});
  depend(repository, 1, 2, 2, DependencyType::one_way);
  EXPECT_EQ(found(repository)[1].execution, Time(3 * 2 * 2));
}

std::string fault_of(const Repository& repository) {
  const auto threads = find_threads(repository);
  return threads ? "" : threads.error().text;
}

TEST(Threads, OneWayCallsOfAnOperationWithARateAreNoMoreFrequentThanThat) {
  Repository often = operations({needs(1, 10), needs(10, 40)});
  depend(often, 1, 2, 5, DependencyType::one_way);
  EXPECT_EQ(fault_of(often),
            "operation '2' is called one way 5 times every 10 ns by '1', so 20 times within 40 ns, but is "
            "declared to "
            "run once every 40 ns, which is all that would be analysed; declare no period, or a period of 10 "
            "ns and a "
            "burst of 5");
  EXPECT_EQ(find_threads(often).error().kind, GraphError::rate);
  // Each alone is slow enough.
  Repository together = operations({needs(1, 10), needs(1, 15), needs(1, 10)});
  depend(together, 1, 3, 1, DependencyType::one_way);
  EXPECT_EQ(fault_of(together), "");
  depend(together, 2, 3, 1, DependencyType::one_way);
  EXPECT_TRUE(contains(fault_of(together), "called one way once every 10 ns by '1' and also by others"))
      << fault_of(together);
}

Requirements bursts(std::int64_t period, std::int32_t burst, std::int64_t distance = 0,
                    std::int64_t jitter = 0) {
  Requirements wanted = needs(1, period);
  wanted.burst = burst;
  wanted.distance = Time(distance);
  wanted.jitter = Time(jitter);
  return wanted;
}

// The text for `callee` if one job of a caller with the period 50 calls it five times.
std::string fault_of_five_calls(const Requirements& callee) {
  Repository repository = operations({needs(1, 50), callee});
  depend(repository, 1, 2, 5, DependencyType::one_way);
  return fault_of(repository);
}

// All of them come when the caller ends, although there are no more of them than the rate allows.
TEST(Threads, OneWayCallsOfOneJobComeAtOnce) {
  EXPECT_EQ(
      fault_of_five_calls(needs(8, 10)),
      "operation '2' is called one way 5 times every 50 ns by '1', so 5 times within 10 ns, but is declared "
      "to run once every 10 ns, which is all that would be analysed; declare no period, or a period of 50 "
      "ns and a burst of 5");
  EXPECT_EQ(fault_of_five_calls(bursts(50, 5)), "");
  EXPECT_EQ(fault_of_five_calls(bursts(40, 5)), "");
  EXPECT_NE(fault_of_five_calls(bursts(50, 4)), "");
  Requirements active = needs(1, 50);
  active.threads = 5;
  EXPECT_EQ(fault_of_five_calls(active), "");
  active.threads = 4;
  EXPECT_NE(fault_of_five_calls(active), "");
  EXPECT_TRUE(contains(fault_of_five_calls(bursts(50, 5, 4)),
                       "so 5 times within 4 ns, but is declared to run 5 "
                       "times every 50 ns, 4 ns apart"))
      << fault_of_five_calls(bursts(50, 5, 4));
}

// Releases that are up to 40 late come at once with those of the four periods after them.
TEST(Threads, JitterOfACalleeLetsOneWayCallsComeAtOnce) {
  EXPECT_EQ(fault_of_five_calls(bursts(10, 1, 0, 40)), "");
  EXPECT_TRUE(contains(fault_of_five_calls(bursts(10, 1, 0, 39)), "so 5 times within 1 ns"))
      << fault_of_five_calls(bursts(10, 1, 0, 39));
}

TEST(Threads, OneWayCallsOfSeveralCallersComeAtOnce) {
  const auto called_by_two = [](const Requirements& callee, std::int64_t first_period) {
    Repository repository = operations({needs(1, first_period), needs(1, 20), callee});
    for (const Handle caller : {1, 2}) depend(repository, caller, 3, 1, DependencyType::one_way);
    return fault_of(repository);
  };
  EXPECT_TRUE(contains(called_by_two(needs(6, 10), 20), "by '1' and also by others, so 2 times within 10 ns"))
      << called_by_two(needs(6, 10), 20);
  EXPECT_TRUE(contains(called_by_two(needs(6, 10), 20), "a period of 20 ns and a burst of 2"));
  EXPECT_EQ(called_by_two(bursts(20, 2), 20), "");
  EXPECT_TRUE(contains(called_by_two(bursts(10, 2), 7), "so 3 times within 10 ns"));
  EXPECT_TRUE(contains(called_by_two(bursts(10, 2), 7), "a period of 7 ns and a burst of 2"));
  EXPECT_EQ(called_by_two(bursts(7, 2), 7), "");
}

TEST(Threads, OneWayCallsOfPassiveOperationsAndOfBurstsCountAsOftenAsTheyAreMade) {
  Repository chain = operations({needs(1, 10), needs(1, 0), needs(1, 6)});  // 1 calls 2 twice, and 2 calls 3
  depend(chain, 1, 2, 2, DependencyType::one_way);
  depend(chain, 2, 3, 1, DependencyType::one_way);
  EXPECT_TRUE(contains(fault_of(chain), "2 times every 10 ns by '2'")) << fault_of(chain);
  Requirements dense = needs(1, 30), active = needs(1, 30);
  dense.burst = 3;
  active.threads = 3;
  Repository bursts = operations({dense, needs(1, 30)});
  depend(bursts, 1, 2, 1, DependencyType::one_way);
  EXPECT_TRUE(contains(fault_of(bursts), "3 times every 30 ns")) << fault_of(bursts);
  Repository threads = operations({active, active, needs(1, 30)});
  depend(threads, 1, 2, 1, DependencyType::one_way);
  EXPECT_EQ(fault_of(threads), "");
  depend(threads, 1, 3, 1, DependencyType::one_way);
  EXPECT_TRUE(contains(fault_of(threads), "'3' is called one way 3 times every 30 ns")) << fault_of(threads);
}

TEST(Threads, AOneWayCallStartsAThread) {
  Repository repository = operations({needs(1, 100), needs(2, 0, 80), needs(4, 0)});
  depend(repository, 1, 2, 3, DependencyType::one_way);
  depend(repository, 2, 3);
  const auto threads = found(repository);
  ASSERT_EQ(threads.size(), 2u);
  EXPECT_EQ(threads[1].entry, 2);
  EXPECT_EQ(threads[1].execution, Time(3 * (2 + 4)));
  EXPECT_EQ(threads[1].period, Time(100));
  EXPECT_EQ(threads[1].deadline, Time(80));
  EXPECT_EQ(threads[1].trigger->thread, 0u);
}

TEST(Threads, ATwoWayCallOfAnotherProcessorIsWaitedFor) {
  Requirements far = needs(5, 0);
  far.processor = 1;
  Repository repository = operations({needs(1, 100), needs(2, 0), far});
  depend(repository, 1, 2, 2);
  depend(repository, 2, 3, 3);
  const auto threads = found(repository);
  ASSERT_EQ(threads.size(), 2u);
  EXPECT_EQ(threads[0].execution, Time(1 + 2 * 2));
  EXPECT_EQ(threads[1].execution, Time(6 * 5));
  EXPECT_EQ(threads[1].one_call, Time(5));
  EXPECT_EQ(threads[1].trigger->type, DependencyType::two_way);
  EXPECT_EQ(threads[1].trigger->calls, 6);
}

TEST(Threads, ACycleIsPrinted) {
  Repository repository = operations({needs(1, 10), needs(1, 0), needs(1, 0), needs(1, 0)});
  depend(repository, 1, 2);
  depend(repository, 2, 3);
  depend(repository, 3, 4);
  depend(repository, 4, 2);
  const auto threads = find_threads(repository);
  ASSERT_FALSE(threads);
  EXPECT_EQ(threads.error().kind, GraphError::cycle);
  EXPECT_EQ(threads.error().number, 3);
  const std::string& text = threads.error().text;
  EXPECT_TRUE(text.find("2 -> 3 -> 4 -> 2") != std::string::npos ||
              text.find("3 -> 4 -> 2 -> 3") != std::string::npos ||
              text.find("4 -> 2 -> 3 -> 4") != std::string::npos)
      << text;
}

TEST(Threads, WithoutARateAreRefused) {
  const auto threads = find_threads(operations({needs(1, 10), needs(1, 0)}));
  ASSERT_FALSE(threads);
  EXPECT_EQ(threads.error().kind, GraphError::no_rate);
  EXPECT_EQ(threads.error().operation, "2");
}

TEST(Threads, TimesThatOverflowAreRefused) {
  // 10^9 calls of 10^9 calls of 10^9 calls.
  Repository repository = operations({needs(1, 10), needs(1, 0), needs(1, 0), needs(1, 0)});
  for (Handle each = 1; each < 4; ++each) depend(repository, each, each + 1, most_calls);
  const auto threads = find_threads(repository);
  ASSERT_FALSE(threads);
  EXPECT_EQ(threads.error().kind, GraphError::time_overflow);
  EXPECT_EQ(threads.error().operation, "1");
}

// Each of 60 operations starts the next two: 2^30 threads.
TEST(Threads, MoreThanCanBeAnalysedAreRefused) {
  Repository repository;
  for (int i = 0; i < 60; ++i) declare(repository, std::to_string(i), needs(1, i == 0 ? 10 : 0));
  for (Handle each = 1; each <= 58; ++each)
    for (const Handle next : {each + 1, each + 2}) depend(repository, each, next, 1, DependencyType::one_way);
  const auto threads = find_threads(repository);
  ASSERT_FALSE(threads);
  EXPECT_EQ(threads.error().kind, GraphError::too_complex);
}

TEST(Threads, AChainOfAHundredThousandOperationsIsNoMatter) {
  Repository repository;
  for (Handle i = 1; i <= 100'000; ++i)
    declare(repository, std::to_string(i), needs(1, i == 1 ? 1'000'000 : 0));
  for (Handle i = 1; i < 100'000; ++i) depend(repository, i, i + 1);
  EXPECT_EQ(found(repository)[0].execution, Time(100'000));
}

}  // namespace
}  // namespace takt::scheduling
