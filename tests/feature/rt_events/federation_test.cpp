// Channels that pass events to each other: what one's consumers want comes from the other, once.
#include <gtest/gtest.h>

#include <algorithm>

#include "../kept_port.h"
#include "served.h"

namespace feature {
namespace {

namespace filters = takt::rt_events::filters;
using takt::rt_events::ServiceLimits;

std::string reference_of(const RtEventServer& server) {
  return server.server->object_to_string(server.service->reference());
}

ServiceLimits quick() {
  ServiceLimits limits;
  limits.ping_after = 20ms;  // the gateways look this often
  return limits;
}

EventChannelServiceOptions with_peers(std::vector<std::string> peers) {
  return {.limits = quick(), .peers = std::move(peers)};
}

bool has_consumers(const RtEventServer& server, std::size_t count) {
  return eventually([&] {
    std::size_t connected = 0;
    const auto state = server.state();
    for (const auto& each : state.clients()) connected += each.consumer() && each.connected();
    return connected == count;
  });
}

TEST(RtEventFederation, BringsTheEventsThatConsumersWant) {
  RtEventServer far;
  RtEventServer near(with_peers({reference_of(far)}));
  const auto consumer = make_consumer();
  near.connect(consumer, wants(filters::event(20)));
  ASSERT_TRUE(has_consumers(far, 1));
  const auto supplier = far.supplier();
  for (std::int32_t i = 1; i <= 20; ++i) supplier->push({event(20, i), event(21, 0)});
  near.supplier()->push({event(20, 0)});
  ASSERT_TRUE(consumer->has(21));
  Numbers numbers = consumer->numbers();
  std::erase(numbers, 0);
  EXPECT_EQ(numbers, numbers_from(1, 20));
  const auto state = near.state();
  ASSERT_EQ(state.peers().size(), 1u);
  EXPECT_TRUE(state.peers()[0].connected());
  EXPECT_EQ(state.peers()[0].received(), 20u);
}

TEST(RtEventFederation, FollowsWhatIsWantedWithoutLossOrRepetition) {
  RtEventServer far;
  RtEventServer near(with_peers({reference_of(far)}));
  const auto first = make_consumer(), second = make_consumer();
  const auto supplier = far.supplier();
  const auto narrow = near.connect(first, wants(filters::event(20, 1)));
  ASSERT_TRUE(has_consumers(far, 1));
  std::int32_t number = 0;
  const auto push = [&] {
    supplier->push({event(20, ++number)});
    ASSERT_TRUE(first->has(static_cast<std::size_t>(number)));
  };
  for (int i = 0; i < 10; ++i) push();
  const auto wide = near.connect(second, wants(filters::event(20)));
  while (far.state().clients().size() < 3) push();  // the supplier, and two subscriptions
  for (int i = 0; i < 10; ++i) push();
  EXPECT_EQ(first->numbers(), numbers_from(1, static_cast<std::size_t>(number)));
  narrow->disconnect_push_supplier();
  wide->disconnect_push_supplier();
  EXPECT_TRUE(has_consumers(far, 0));
}

TEST(RtEventFederation, PassesEventsAsFarAsTheirTtl) {
  const KeptPort first, second;
  const auto channel_at = [](const KeptPort& port) {
    return "corbaloc::127.0.0.1:" + std::to_string(port.port()) + "/EventService";
  };
  RtEventServer one(with_peers({channel_at(second)}), first.endpoint());
  RtEventServer other(with_peers({channel_at(first)}), second.endpoint());
  const auto at_one = make_consumer(), at_other = make_consumer();
  one.connect(at_one, wants(filters::event(20)));
  other.connect(at_other, wants(filters::event(20)));
  ASSERT_TRUE(has_consumers(one, 2) && has_consumers(other, 2));
  const auto supplier = one.supplier();
  const auto push = [&](std::int32_t number, std::int32_t ttl) {
    RtecEventComm::Event each = event(20, number);
    each.header().ttl(ttl);
    supplier->push({each});
  };
  push(1, 0);  // stays
  push(2, 1);  // reaches the other, and ends there
  push(3, 3);  // goes there, back, and there
  ASSERT_TRUE(at_one->has(4) && at_other->has(3));
  push(4, 1'000'000'000);  // the other's keeps 4
  ASSERT_TRUE(at_one->has(7) && at_other->has(6));
  push(5, 1);
  ASSERT_TRUE(at_one->has(8) && at_other->has(7));
  EXPECT_EQ(at_other->numbers(), (Numbers{2, 3, 3, 4, 4, 4, 5}));
  EXPECT_EQ(at_one->numbers(), (Numbers{1, 2, 3, 3, 4, 4, 4, 5}));
}

TEST(RtEventFederation, ConnectsAgainAfterTheOtherChannelWasAway) {
  const KeptPort port;
  auto far = std::make_unique<RtEventServer>(EventChannelServiceOptions{}, port.endpoint());
  std::atomic<int> told{0};
  auto options = with_peers({"corbaloc::127.0.0.1:" + std::to_string(port.port()) + "/EventService"});
  options.report = [&](const std::string& text) {
    told += text.find("is not connected") != std::string::npos;
  };
  RtEventServer near(options);
  const auto consumer = make_consumer();
  near.connect(consumer, wants(filters::event(20)));
  ASSERT_TRUE(has_consumers(*far, 1));
  far.reset();
  EXPECT_TRUE(eventually([&] { return told == 1; }));
  EXPECT_FALSE(near.state().peers().at(0).connected());
  far = std::make_unique<RtEventServer>(EventChannelServiceOptions{}, port.endpoint());
  ASSERT_TRUE(has_consumers(*far, 1));
  far->supplier()->push({event(20, 1)});
  EXPECT_TRUE(consumer->has(1));
  EXPECT_EQ(told, 1);
}

TEST(RtEventFederation, AChannelInItsOwnListOfPeersIsLeftOut) {
  RtEventServer far;
  const KeptPort port;
  const std::string own = "corbaloc::127.0.0.1:" + std::to_string(port.port()) + "/EventService";
  EventChannelServiceOptions options = with_peers({own, reference_of(far)});
  std::mutex mutex;
  std::vector<std::string> reports;
  options.report = [&](const std::string& text) {
    const std::lock_guard lock(mutex);
    reports.push_back(text);
  };
  RtEventServer near(options, port.endpoint());
  const auto consumer = make_consumer();
  near.connect(consumer, wants(filters::event(20)));
  ASSERT_TRUE(has_consumers(far, 1));
  const std::string left_out = "the channel at " + own + " is this channel itself, and is left out";
  EXPECT_TRUE(eventually([&] {
    const std::lock_guard lock(mutex);
    return std::ranges::count(reports, left_out) == 1;
  })) << left_out;
  EXPECT_TRUE(has_consumers(near, 1));
  const auto supplier = near.supplier();
  for (std::int32_t i = 1; i <= 5; ++i) {
    auto event_on_tour = event(20, i);
    event_on_tour.header().ttl(3);
    supplier->push({event_on_tour});
  }
  ASSERT_TRUE(consumer->has(5));
  EXPECT_EQ(consumer->numbers(), numbers_from(1, 5));
}

TEST(RtEventFederation, WithAChannelThatIsNotThereIsTriedAgain) {
  std::atomic<int> told{0};
  EventChannelServiceOptions options = with_peers({"corbaloc::127.0.0.1:9/EventService"});
  options.report = [&](const std::string&) { ++told; };
  RtEventServer near(options);
  const auto consumer = make_consumer();
  near.connect(consumer, wants(filters::event(20)));
  EXPECT_TRUE(eventually([&] { return told == 1; }));
  EXPECT_FALSE(near.state().peers().at(0).connected());
  near.supplier()->push({event(20, 1)});
  EXPECT_TRUE(consumer->has(1));
}

}  // namespace
}  // namespace feature
