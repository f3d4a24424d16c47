// Queues with each of the ORB's own orders, and requests as clients state them. The suite tests the contract
// of an order.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "answers.h"
#include "queued/request_queue.h"

namespace takt::server {
namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

class OrderContract : public testing::TestWithParam<Answer> {
 protected:
  const RequestOrder& order = request_order(GetParam().order);
  Rank rank_of(const Arriving& arriving) const { return order.rank_of(make_waiting(arriving)->as_waiting()); }
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

TEST_P(OrderContract, AQueueServesByItInWhateverOrderTheyCome) {  // 2
  const auto& list = GetParam().first_to_last;
  std::vector<std::uint32_t> sequence(list.size());
  for (std::uint32_t i = 0; i < list.size(); ++i) sequence[i] = i;
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    std::ranges::shuffle(sequence, random);
    RequestQueue queue(std::make_shared<BufferBounds>(100), order);
    for (const std::uint32_t id : sequence) ASSERT_EQ(queue.push(make_waiting(list[id], id)), nullptr);
    for (std::uint32_t id = 0; id < list.size(); ++id)
      ASSERT_EQ(queue.pop(nullptr, 0ns).request->context().request_id, id);
  }
}

TEST_P(OrderContract, WhatItDoesNotTellApartIsServedAsItCame) {  // 3
  for (const Arriving& arriving : {Arriving{}, Arriving{.remaining = 1ms, .timing = RequestTiming{}}}) {
    RequestQueue queue(std::make_shared<BufferBounds>(100), order);
    for (std::uint32_t id = 0; id < 20; ++id) ASSERT_EQ(queue.push(make_waiting(arriving, id)), nullptr);
    for (std::uint32_t id = 0; id < 20; ++id)
      EXPECT_EQ(queue.pop(nullptr, 0ns).request->context().request_id, id);
  }
}

TEST_P(OrderContract, NoTimeOverflows) {  // 4
  const auto late = rank_of(Arriving{.remaining = giop::WireQuality::no_deadline});
  for (const Arriving& arriving : extremes()) {
    const auto request = make_waiting(arriving);
    if (GetParam().order == QueueOrder::deadline) {
      EXPECT_LE(order.rank_of(request->as_waiting()), late);
    }
    // No request is more urgent than one that is due now and takes forever.
    const Arriving most{.remaining = 0ns,
                        .timing = RequestTiming{.priority = 32767,
                                                .sub_priority = std::numeric_limits<std::int32_t>::min(),
                                                .execution = nanoseconds::max(),
                                                .critical = true}};
    EXPECT_GE(order.rank_of(request->as_waiting()), rank_of(most));
  }
}

INSTANTIATE_TEST_SUITE_P(Each, OrderContract, testing::ValuesIn(answers()),
                         [](const auto& answer) { return answer.param.name; });

}  // namespace
}  // namespace takt::server
