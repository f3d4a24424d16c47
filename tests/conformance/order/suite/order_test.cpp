#include <algorithm>
#include <limits>
#include <string>
#include <thread>

#include "allocations.h"
#include "order_suite.h"

namespace takt::server {
namespace {

using std::chrono::nanoseconds;
using TimePoint = WaitingRequest::Clock::time_point;

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t times[] = {
    std::numeric_limits<std::int64_t>::min(), -1, 0, 1, 1'000'000, most - 1, most};

class OrderTest : public testing::TestWithParam<const TestedOrder*> {
 protected:
  Rank rank_of(const WaitingRequest& request) const { return order->rank_of(request); }
  // The rank of a request that was copied with everything to which it refers.
  Rank rank_of_copy(WaitingRequest request) const {
    const std::string operation(request.operation);
    const std::vector<std::uint8_t> key(request.object_key.begin(), request.object_key.end());
    RequestTiming timing;
    if (request.timing) timing = *request.timing;
    request.operation = operation;
    request.object_key = key;
    if (request.timing) request.timing = &timing;
    return order->rank_of(request);
  }

  const std::shared_ptr<const RequestOrder> order = GetParam()->make();
  const std::vector<WaitingRequest> list = GetParam()->first_to_last();
};
INSTANTIATE_TEST_SUITE_P(Each, OrderTest, testing::ValuesIn(tested_orders()),
                         [](const auto& info) { return info.param->name; });

TEST_P(OrderTest, HasANameOfLowerCaseLettersDigitsAndHyphens) {
  const std::string name(order->name());
  EXPECT_FALSE(name.empty());
  EXPECT_LE(name.size(), 100u);
  EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), name.npos) << name;
  EXPECT_EQ(order->name(), name) << "it stays the same";
  EXPECT_EQ(order->heeds_importance(), order->heeds_importance());
}

TEST_P(OrderTest, ARankDependsOnTheRequestAlone) {  // 1
  std::vector<Rank> ranks;
  for (const WaitingRequest& request : list) ranks.push_back(rank_of(request));
  for (std::size_t i = list.size(); i-- > 0;) {
    static_cast<void>(rank_of({}));
    EXPECT_EQ(rank_of(list[i]), ranks[i]) << "after other requests, request " << i;
    EXPECT_EQ(rank_of_copy(list[i]), ranks[i]) << "of an equal request, request " << i;
    EXPECT_EQ(GetParam()->make()->rank_of(list[i]), ranks[i]) << "by another object, request " << i;
  }
}

TEST_P(OrderTest, RequestsAreRankedByTheCriterion) {  // 2
  for (std::size_t i = 0; i + 1 < list.size(); ++i)
    EXPECT_LT(rank_of(list[i]), rank_of(list[i + 1])) << "requests " << i << " and " << i + 1;
}

TEST_P(OrderTest, RequestsThatLackTheCriterionAreBehind) {  // 2
  const Rank without = rank_of({});
  for (std::size_t i = 0; i < list.size(); ++i) EXPECT_LE(rank_of(list[i]), without) << "request " << i;
}

// Changes one value of a request over its whole range; a rank that overflows turns round.
template <class Change>
void expect_one_direction(const RequestOrder& order, const std::vector<WaitingRequest>& list, Change change,
                          std::size_t values, const char* what) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    std::vector<Rank> ranks;
    for (std::size_t value = 0; value < values; ++value) {
      WaitingRequest request = list[i];
      RequestTiming timing;
      if (request.timing) timing = *request.timing;
      if (request.timing) request.timing = &timing;
      change(request, timing, value);
      ranks.push_back(order.rank_of(request));
    }
    EXPECT_TRUE(std::ranges::is_sorted(ranks) || std::ranges::is_sorted(ranks, std::greater()))
        << what << " of request " << i;
  }
}

TEST_P(OrderTest, NoValueOverflows) {  // 4
  if (!GetParam()->is_monotonic) GTEST_SKIP() << "the order is not monotonic";
  std::vector<WaitingRequest> all = list;
  all.emplace_back();
  const auto at = [](std::int64_t time) { return TimePoint(nanoseconds(time)); };
  using Request = WaitingRequest&;
  using Timing = RequestTiming&;
  const auto expect = [&](const char* what, auto change, std::size_t values) {
    expect_one_direction(*order, all, change, values, what);
  };
  expect(
      "deadline", [&](Request one, Timing, std::size_t n) { one.deadline = at(times[n]); }, std::size(times));
  expect(
      "arrival", [&](Request one, Timing, std::size_t n) { one.arrived = at(times[n]); }, std::size(times));
  constexpr std::int16_t priorities[] = {0, 1, 32766, 32767};
  expect("priority", [&](Request one, Timing, std::size_t n) { one.priority = priorities[n]; }, 4);
  constexpr std::uint32_t importances[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff};
  expect("importance", [&](Request one, Timing, std::size_t n) { one.importance = importances[n]; }, 5);
  expect(
      "priority in the schedule", [&](Request, Timing one, std::size_t n) { one.priority = priorities[n]; },
      4);
  constexpr std::int32_t subs[] = {std::numeric_limits<std::int32_t>::min(), -1, 0, 1,
                                   std::numeric_limits<std::int32_t>::max()};
  expect("sub-priority", [&](Request, Timing one, std::size_t n) { one.sub_priority = subs[n]; }, 5);
  constexpr std::int64_t lengths[] = {1, 1'000'000, most - 1, most};
  expect(
      "execution", [&](Request, Timing one, std::size_t n) { one.execution = nanoseconds(lengths[n]); }, 4);
}

TEST_P(OrderTest, ItAllocatesNothing) {  // 5
  const auto before = allocations();
  for (const WaitingRequest& request : list) static_cast<void>(rank_of(request));
  static_cast<void>(rank_of({}));
  EXPECT_EQ(allocations(), before);
}

TEST_P(OrderTest, ServesSeveralThreads) {  // 5
  std::vector<Rank> ranks;
  for (const WaitingRequest& request : list) ranks.push_back(rank_of(request));
  std::vector<std::thread> threads;
  std::vector<std::size_t> wrong(4);
  for (std::size_t thread = 0; thread < wrong.size(); ++thread)
    threads.emplace_back([&, thread] {
      for (int round = 0; round < 1000; ++round)
        for (std::size_t i = 0; i < list.size(); ++i) wrong[thread] += rank_of(list[i]) != ranks[i];
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<std::size_t>(4));
}

}  // namespace
}  // namespace takt::server
