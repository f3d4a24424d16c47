// Which subscriptions a channel has at another one, while its consumers come and go.
#include "rt_events/service/gateway_plan.h"

#include <gtest/gtest.h>

#include <random>

namespace takt::rt_events {
namespace {

constexpr std::int32_t types = 23, sources = 4;  // 20 to 22, and 1 to 3

EventKinds kinds_of(const filters::Entries& entries) {
  const auto filter = Filter::parse(entries);
  EXPECT_TRUE(filter) << filter.error().text;
  return kinds_accepted_by(*filter);
}

TEST(MergedKinds, AreThoseThatAFilterMayAccept) {
  EXPECT_EQ(kinds_of(filters::any({filters::event(21, 1), filters::event(20), filters::event(20, 2)})),
            (EventKinds{{20, 0}, {21, 1}}));
  EXPECT_EQ(kinds_of(filters::all(
                {filters::event(20), filters::event(21), filters::every(std::chrono::seconds(1))})),
            (EventKinds{{20, 0}, {21, 0}}));
  EXPECT_EQ(kinds_of(filters::both({filters::event(20), filters::no(filters::event(20, 1))})),
            (EventKinds{{20, 0}}));
  EXPECT_EQ(kinds_of(filters::no(filters::event(20))), (EventKinds{{0, 0}}));
  EXPECT_EQ(kinds_of(filters::masked(1, 1, 0, 0)), (EventKinds{{0, 0}}));
  EXPECT_EQ(kinds_of(filters::any(
                {filters::event(20), filters::event(0, 1), filters::event(20, 1), filters::event(0, 2)})),
            (EventKinds{{0, 1}, {0, 2}, {20, 0}}));
  EXPECT_EQ(kinds_of({}), EventKinds{});
  EXPECT_EQ(kinds_of(filters::after(std::chrono::seconds(1))), EventKinds{});
}

TEST(MergedKinds, AreSubscriptionsThatAcceptThem) {
  const EventKinds kinds{{0, 1}, {20, 0}};
  filters::Entries entries;
  const auto qos = consumer_qos(kinds);
  for (const auto& each : qos.dependencies())
    entries.push_back({each.event().header().type(), each.event().header().source()});
  EXPECT_EQ(kinds_of(entries), kinds);
  EXPECT_TRUE(consumer_qos({}).dependencies().empty());
  EXPECT_EQ(supplier_qos(kinds).publications().size(), 2u);
}

// A plan, and its subscriptions as the other channel has them.
class Subscribed {
 public:
  void want(const EventKinds& wanted) {
    if (const EventKinds missing = plan_.missing(wanted); !missing.empty()) {
      const auto filter = Filter::parse(plan_.filter_for(missing));
      ASSERT_TRUE(filter) << filter.error().text;
      filters_.push_back(*filter);
      plan_.add(missing);
    }
    for (const std::size_t part : plan_.needless(wanted)) {
      plan_.remove(part);
      filters_.erase(filters_.begin() + static_cast<std::ptrdiff_t>(part));
    }
    ASSERT_EQ(plan_.size(), filters_.size());
  }
  int times(std::int32_t type, std::int32_t source) const {
    int times = 0;
    for (const Filter& filter : filters_) times += filter.accepts(type, source);
    return times;
  }
  std::size_t size() const { return filters_.size(); }

 private:
  GatewayPlan plan_;
  std::vector<Filter> filters_;
};

bool wants_event(const EventKinds& wanted, std::int32_t type, std::int32_t source) {
  for (const auto& kind : wanted)
    if ((kind.first == 0 || kind.first == type) && (kind.second == 0 || kind.second == source)) return true;
  return false;
}

TEST(GatewayPlans, AcceptEachWantedEventOnceWhateverIsWantedNext) {
  std::mt19937 random(31);
  const auto below = [&](std::int32_t end) {
    return static_cast<std::int32_t>(random() % static_cast<std::uint32_t>(end));
  };
  for (int run = 0; run < 200; ++run) {
    Subscribed subscribed;
    for (int change = 0; change < 20; ++change) {
      EventKinds wanted;
      for (int i = below(5); i > 0; --i) wanted.emplace_back(below(4) ? 20 + below(3) : 0, below(sources));
      merge(wanted);
      subscribed.want(wanted);
      for (std::int32_t type = 20; type < types; ++type)
        for (std::int32_t source = 1; source < sources; ++source) {
          const int times = subscribed.times(type, source);
          ASSERT_LE(times, 1) << run << ' ' << change << ": " << type << ' ' << source;
          if (wants_event(wanted, type, source)) {
            ASSERT_EQ(times, 1) << run << ' ' << change << ": " << type << ' ' << source;
          }
        }
    }
    subscribed.want({});
    ASSERT_EQ(subscribed.size(), 0u);
  }
}

TEST(GatewayPlans, AcceptAllEventsInsteadOfAGreatNumberOfKinds) {
  Subscribed subscribed;
  EventKinds wanted;
  for (std::int32_t type = 100; type < 1'100; ++type) {
    wanted.emplace_back(type, 1);
    subscribed.want(wanted);
  }
  for (std::int32_t type = 100; type < 1'200; ++type) ASSERT_EQ(subscribed.times(type, 1), 1) << type;
  subscribed.want({});
  EXPECT_EQ(subscribed.size(), 0u);
}

}  // namespace
}  // namespace takt::rt_events
