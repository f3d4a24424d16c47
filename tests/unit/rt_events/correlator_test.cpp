#include "rt_events/model/correlator.h"

#include <gtest/gtest.h>

#include "rt_events/model/designators.h"

namespace takt::rt_events {
namespace {

using Entries = std::vector<FilterEntry>;
using Sets = std::vector<std::vector<std::int32_t>>;  // the numbers in the events
using Timers = std::vector<std::uint32_t>;

class Correlation : public ::testing::Test, protected CorrelatorSink {
 protected:
  void subscribe(const Entries& entries) {
    const auto filter = Filter::parse(entries);
    ASSERT_TRUE(filter) << filter.error().text;
    places_ = Correlator::places(*filter);
    correlator_.emplace(*filter);
  }
  // Offers an event with this number, and returns the sets that it completes.
  Sets offer(std::int32_t type, std::int32_t number, std::uint32_t timer = 0) {
    EventRef event = pool_.take();
    event->event.header().type(type);
    event->event.header().source(1);
    event->event.data().pad1(number);
    event->timer = timer;
    sets_.clear();
    correlator_->offer(event, *this);
    event = {};
    EXPECT_LE(pool_.in_use(), places_);
    return sets_;
  }
  Sets fire(std::uint32_t timer, std::int32_t number) { return offer(interval, number, timer + 1); }

  void deliver(std::span<const EventRef> events) override {
    auto& set = sets_.emplace_back();
    for (const EventRef& event : events) set.push_back(event->event.data().pad1());
  }
  void restart(std::uint32_t timer) override { restarted_.push_back(timer); }

  EventPool pool_;
  std::optional<Correlator> correlator_;
  std::size_t places_ = 0;
  Sets sets_;
  Timers restarted_;
};

TEST_F(Correlation, DeliversWhatADisjunctionAcceptsAlone) {
  subscribe({{20, 0}, {disjunction, 2}, {20, 0}, {21, 0}});
  EXPECT_EQ(offer(20, 1), Sets{{1}});  // once, although two filters accept it
  EXPECT_EQ(offer(21, 2), Sets{{2}});
  EXPECT_EQ(offer(22, 3), Sets{});
}

TEST_F(Correlation, CollectsTheLatestEventForEachFilterOfAConjunction) {
  subscribe({{conjunction, 2}, {20, 0}, {21, 0}});
  EXPECT_EQ(offer(21, 1), Sets{});
  EXPECT_EQ(offer(21, 2), Sets{});
  EXPECT_EQ(offer(20, 3), (Sets{{3, 2}}));  // in the order of the filters
  EXPECT_EQ(pool_.in_use(), 0u);
  EXPECT_EQ(offer(20, 4), Sets{});  // begins anew
  EXPECT_EQ(offer(21, 5), (Sets{{4, 5}}));
}

TEST_F(Correlation, DeliversAnEventForSeveralFiltersOnce) {
  subscribe({{conjunction, 2}, {20, 0}, {null_filter}});
  EXPECT_EQ(offer(20, 1), Sets{{1}});
}

TEST_F(Correlation, NestsGroups) {
  subscribe({{conjunction, 2}, {20, 0}, {disjunction, 2}, {21, 0}, {conjunction, 2}, {22, 0}, {23, 0}});
  EXPECT_EQ(offer(20, 1), Sets{});
  EXPECT_EQ(offer(22, 2), Sets{});
  EXPECT_EQ(offer(23, 3), (Sets{{1, 2, 3}}));
  EXPECT_EQ(offer(22, 4), Sets{});
  EXPECT_EQ(offer(21, 5), Sets{});
  EXPECT_EQ(offer(20, 6), (Sets{{6, 5}}));  // the inner conjunction is not complete
  EXPECT_EQ(pool_.in_use(), 0u);            // and has forgotten its event
}

TEST_F(Correlation, CompletesSeveralConjunctionsWithOneEvent) {
  subscribe({{conjunction, 2}, {20, 0}, {22, 0}, {conjunction, 2}, {21, 0}, {22, 0}, {22, 0}});
  EXPECT_EQ(offer(20, 1), Sets{});
  EXPECT_EQ(offer(21, 2), Sets{});
  EXPECT_EQ(offer(22, 3), (Sets{{1, 3}, {2, 3}, {3}}));
}

TEST_F(Correlation, TakesTimersAsSources) {
  subscribe({{interval, 0, 10'000}, {conjunction, 2}, {20, 0}, {once, 0, 10'000}});
  EXPECT_EQ(fire(0, 1), Sets{{1}});
  EXPECT_EQ(fire(1, 2), Sets{});
  EXPECT_EQ(offer(20, 3), (Sets{{3, 2}}));
  EXPECT_EQ(offer(interval, 4), Sets{});  // from a supplier
}

TEST_F(Correlation, RestartsTheDeadlinesOfASatisfiedGroup) {
  subscribe({{disjunction, 2}, {20, 0}, {deadline, 0, 10'000}, {22, 0}, {deadline, 0, 10'000}});
  offer(21, 1);
  EXPECT_EQ(restarted_, Timers{});
  offer(20, 2);
  EXPECT_EQ(restarted_, (Timers{0, 1}));  // the outer group is satisfied too
  restarted_.clear();
  offer(22, 3);
  EXPECT_EQ(restarted_, Timers{1});
}

TEST_F(Correlation, RestartsTheDeadlinesOfAConjunctionWhenItIsComplete) {
  subscribe({{conjunction, 2}, {20, 0}, {disjunction, 2}, {21, 0}, {deadline, 0, 10'000}});
  offer(21, 1);
  EXPECT_EQ(restarted_, Timers{});
  offer(20, 2);
  EXPECT_EQ(restarted_, Timers{0});
}

TEST_F(Correlation, ForgetsItsEvents) {
  subscribe({{conjunction, 2}, {20, 0}, {21, 0}});
  offer(20, 1);
  EXPECT_EQ(pool_.in_use(), 1u);
  correlator_->clear();
  EXPECT_EQ(pool_.in_use(), 0u);
  EXPECT_EQ(offer(21, 2), Sets{});
}

}  // namespace
}  // namespace takt::rt_events
