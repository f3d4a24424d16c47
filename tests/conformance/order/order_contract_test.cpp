// The contract of request_order.h, for each order.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "allocations.h"
#include "server/queued/request_queue.h"
#include "waiting.h"

namespace takt::server {
namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

struct Answer {
  const char* name;
  QueueOrder order;
  std::vector<Arriving> first_to_last;  // all different for this order
};

const std::vector<Answer> answers = {
    {"AsTheyCame", QueueOrder::temporal, {}},
    {"ByImportance", QueueOrder::importance, {}},
    {"ByPriority",
     QueueOrder::priority,
     {{.priority = 32767}, {.priority = 5}, {.priority = 0}, {.timing = RequestTiming{.priority = 9}}}},
    {"ByDeadline",
     QueueOrder::deadline,
     {{.arrived = 5ms, .remaining = 1ms},
      {.arrived = 0ms, .timing = RequestTiming{.deadline = 10ms}},
      // The client's timing takes precedence over the table's.
      {.arrived = 0ms, .remaining = 20ms, .timing = RequestTiming{.deadline = 1ms}},
      {.arrived = 10ms, .timing = RequestTiming{.deadline = 11ms, .critical = true}},
      {.arrived = -50ms, .timing = RequestTiming{.execution = 1ms}}}},
    {"ByFixedPriority",
     QueueOrder::fixed,
     {{.timing = RequestTiming{.priority = 20, .sub_priority = 0, .deadline = 1s}},
      {.timing = RequestTiming{.priority = 20, .sub_priority = 1, .deadline = 1ms}},
      {.timing = RequestTiming{.priority = 10, .sub_priority = -3}},
      {.timing = RequestTiming{.priority = 0}},
      {.timing = RequestTiming{.priority = -1}},
      {.remaining = 1ms, .priority = 99}}},
    {"ByLaxity",
     QueueOrder::laxity,
     {{.timing = RequestTiming{.deadline = 50ms, .execution = 49ms}},
      {.arrived = 1ms, .remaining = 5ms},
      {.arrived = 1ms, .remaining = 16ms, .timing = RequestTiming{.execution = 10ms}},
      {.arrived = 0ms, .timing = RequestTiming{.deadline = 10ms, .execution = 1ms}},
      {.priority = 99, .timing = RequestTiming{.execution = 5ms, .critical = true}}}},
    {"ByUrgency",
     QueueOrder::urgency,
     {{.timing = RequestTiming{.deadline = 100ms, .execution = 80ms, .critical = true}},
      {.timing = RequestTiming{.deadline = 100ms, .execution = 10ms, .critical = true}},
      {.timing = RequestTiming{.priority = 3, .critical = true}},
      {.timing = RequestTiming{.priority = 2, .sub_priority = 1, .critical = true}},
      {.timing = RequestTiming{.priority = 2, .sub_priority = 2, .critical = true}},
      {.timing = RequestTiming{.deadline = 2ms, .execution = 1ms}},
      {.remaining = 3ms},
      {.timing = RequestTiming{.priority = 99}},
      {.priority = 99}}}};

class OrderContract : public testing::TestWithParam<Answer> {
 protected:
  const RequestOrder& order = request_order(GetParam().order);
  // Extreme values from clients and from tables, and no values at all.
  std::vector<Arriving> extremes() const {
    constexpr nanoseconds times[] = {nanoseconds::min(),
                                     -1ns,
                                     0ns,
                                     1ns,
                                     giop::WireQuality::no_deadline - 1ns,
                                     giop::WireQuality::no_deadline};
    std::vector<Arriving> all;
    for (const nanoseconds arrived : {0ns, nanoseconds(std::numeric_limits<std::int64_t>::max() - 1)})
      for (const nanoseconds remaining : times)
        for (const nanoseconds execution : {0ns, nanoseconds::max()})
          for (const bool critical : {false, true})
            all.push_back({.arrived = arrived,
                           .remaining = std::max(remaining, 0ns),  // the decoder's range
                           .timing = RequestTiming{.priority = 32767,
                                                   .sub_priority = std::numeric_limits<std::int32_t>::max(),
                                                   .deadline = remaining,
                                                   .execution = execution,
                                                   .critical = critical}});
    return all;
  }
};

TEST_P(OrderContract, ARankStaysWhileTheRequestWaitsAndOthersCome) {  // 1
  for (const Arriving& arriving : GetParam().first_to_last) {
    const auto request = make_waiting(arriving);
    const Rank rank = order.rank_of(*request);
    EXPECT_EQ(order.rank_of(*make_waiting({.remaining = 1ms})),
              order.rank_of(*make_waiting({.remaining = 1ms})));
    EXPECT_EQ(order.rank_of(*request), rank);
  }
}

TEST_P(OrderContract, WhatItGoesByDecidesAndRequestsThatLackItAreBehind) {  // 2
  const auto& list = GetParam().first_to_last;
  for (std::size_t i = 0; i + 1 < list.size(); ++i)
    EXPECT_LT(order.rank_of(*make_waiting(list[i])), order.rank_of(*make_waiting(list[i + 1]))) << i;
  if (list.empty()) return;
  EXPECT_GE(order.rank_of(*make_waiting({})), order.rank_of(*make_waiting(list.back())));
}

TEST_P(OrderContract, AQueueServesByItInWhateverOrderTheyCome) {  // 2
  const auto& list = GetParam().first_to_last;
  std::vector<std::uint32_t> sequence(list.size());
  for (std::uint32_t i = 0; i < list.size(); ++i) sequence[i] = i;
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    std::ranges::shuffle(sequence, random);
    RequestQueue queue(std::make_shared<BufferBounds>(100), GetParam().order);
    for (const std::uint32_t id : sequence) ASSERT_EQ(queue.push(make_waiting(list[id], id)), nullptr);
    for (std::uint32_t id = 0; id < list.size(); ++id)
      ASSERT_EQ(queue.pop(nullptr, 0ns).request->context().request_id, id);
  }
}

TEST_P(OrderContract, WhatItDoesNotTellApartIsServedAsItCame) {  // 3
  for (const Arriving& arriving : {Arriving{}, Arriving{.remaining = 1ms, .timing = RequestTiming{}}}) {
    RequestQueue queue(std::make_shared<BufferBounds>(100), GetParam().order);
    for (std::uint32_t id = 0; id < 20; ++id) ASSERT_EQ(queue.push(make_waiting(arriving, id)), nullptr);
    for (std::uint32_t id = 0; id < 20; ++id)
      EXPECT_EQ(queue.pop(nullptr, 0ns).request->context().request_id, id);
  }
}

TEST_P(OrderContract, NoTimeOverflows) {  // 4
  const auto late = order.rank_of(*make_waiting({.remaining = giop::WireQuality::no_deadline}));
  for (const Arriving& arriving : extremes()) {
    const auto request = make_waiting(arriving);
    if (GetParam().order == QueueOrder::deadline) {
      EXPECT_LE(order.rank_of(*request), late);
    }
    // No request is more urgent than one that is due now and takes forever.
    const Arriving most{.remaining = 0ns,
                        .timing = RequestTiming{.priority = 32767,
                                                .sub_priority = std::numeric_limits<std::int32_t>::min(),
                                                .execution = nanoseconds::max(),
                                                .critical = true}};
    EXPECT_GE(order.rank_of(*request), order.rank_of(*make_waiting(most)));
  }
}

TEST_P(OrderContract, ItAllocatesNothing) {  // 5
  const auto requests = [&] {
    std::vector<std::unique_ptr<QueuedRequest>> made;
    for (const Arriving& arriving : GetParam().first_to_last) made.push_back(make_waiting(arriving));
    made.push_back(make_waiting({}));
    return made;
  }();
  const auto before = allocations();
  for (const auto& request : requests) static_cast<void>(order.rank_of(*request));
  EXPECT_EQ(allocations(), before);
}

INSTANTIATE_TEST_SUITE_P(Each, OrderContract, testing::ValuesIn(answers),
                         [](const auto& answer) { return answer.param.name; });

}  // namespace
}  // namespace takt::server
