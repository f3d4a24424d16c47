// The calls that events through a channel amount to, and the bounds that an analysis proves of them.
#include "rt_events/schedule/event_dependencies.h"

#include <gtest/gtest.h>

#include <map>

#include "rt_events/model/filters.h"
#include "schedulability/analysis/analysis.h"
#include "schedulability/simulation/random_sets.h"
#include "schedulability/simulation/simulator.h"

namespace takt::rt_events {
namespace {

using namespace std::chrono_literals;
using namespace filters;
using scheduling::Handle;
using scheduling::Time;

Filter filter_of(const Entries& entries) {
  auto filter = Filter::parse(entries);
  EXPECT_TRUE(filter) << filter.error().text;
  return filter ? *filter : Filter();
}

std::int64_t deliveries(const Entries& entries, const Publication& publication) {
  return most_deliveries(filter_of(entries), publication);
}

TEST(EventDependencies, AnEventIsACallIfTheFilterMayAcceptIt) {
  EXPECT_EQ(deliveries(filters::event(20, 1), {20, 1}), 1);
  EXPECT_EQ(deliveries(filters::event(20, 1), {20, 2}), 0);
  EXPECT_EQ(deliveries(filters::event(20, 1), {21, 1}), 0);
  EXPECT_EQ(deliveries(filters::event(20), {20, 7}), 1);
  EXPECT_EQ(deliveries(filters::event(any_type, 3), {20, 3}), 1);
  EXPECT_EQ(deliveries(both({filters::event(20), filters::event(any_type, 3)}), {20, 3}), 1);
  EXPECT_EQ(deliveries(both({filters::event(20), filters::event(any_type, 3)}), {20, 4}), 0);
  EXPECT_EQ(deliveries(masked(0xf0, 0x20, 0, 0), {0x25, 9}), 1);
  EXPECT_EQ(deliveries(masked(0xf0, 0x20, 0, 0), {0x35, 9}), 0);
  EXPECT_EQ(deliveries(no(filters::event(20)), {20, 1}), 0);
  EXPECT_EQ(deliveries(no(filters::event(20)), {21, 1}), 1);
  EXPECT_EQ(deliveries(every(10ms), {20, 1}), 0);
}

TEST(EventDependencies, APublicationOfAllTypesOrSourcesCountsWhereOneOfItsEventsMayBeAccepted) {
  EXPECT_EQ(deliveries(filters::event(20, 1), {any_type, 1}), 1);
  EXPECT_EQ(deliveries(filters::event(20, 1), {any_type, 2}), 0);
  EXPECT_EQ(deliveries(filters::event(20, 1), {20, any_source}), 1);
  EXPECT_EQ(deliveries(no(filters::event(20, 1)), {20, any_source}), 1);  // from source 2, for example
  EXPECT_EQ(deliveries(no(filters::event(20)), {20, any_source}), 0);     // accepted from no source
  EXPECT_EQ(deliveries(masked(1, 1, 0, 0), {any_type, 5}), 1);
  EXPECT_EQ(deliveries(no(masked(0, 0, 0, 0)), {any_type, 5}), 0);  // the mask accepts all
}

TEST(EventDependencies, AnEventIsDeliveredAloneAndInEachSetThatItMayComplete) {
  EXPECT_EQ(deliveries(any({filters::event(20), filters::event(20, 1)}), {20, 1}), 1);
  EXPECT_EQ(deliveries(all({filters::event(20), filters::event(21)}), {20, 1}), 1);
  EXPECT_EQ(deliveries(all({filters::event(20), filters::event(21)}), {22, 1}), 0);
  EXPECT_EQ(deliveries(any({filters::event(20), all({filters::event(20), filters::event(21)}),
                            all({filters::event(20), filters::event(22)})}),
                       {20, 1}),
            3);
  EXPECT_EQ(deliveries(any({filters::event(20), all({filters::event(20), filters::event(21)}),
                            all({filters::event(20), filters::event(22)})}),
                       {22, 1}),
            1);
}

TEST(EventDependencies, CallsOfOnePairAddUp) {
  EventDependencies declared;
  declared.add_supplier(1, std::vector<Publication>{{20, 1, 2}, {21, 1, 3}, {22, 1, 100}});
  declared.add_supplier(2, std::vector<Publication>{{20, 2, 1}, {20, 2, 0}});
  declared.add_consumer(7, filter_of(any({filters::event(20), filters::event(21)})));
  declared.add_consumer(7, filter_of(filters::event(21)));
  declared.add_consumer(8, filter_of(filters::event(any_type, 2)));
  declared.add_consumer(1, filter_of(filters::event(20)));  // events of the operation itself are left out
  EXPECT_EQ(declared.calls(), (std::vector<EventCalls>{{1, 7, 2 + 3 + 3}, {2, 1, 1}, {2, 7, 1}, {2, 8, 1}}));
  EXPECT_EQ(declared.pushes_of(1), 105);
  EXPECT_EQ(declared.pushes_of(9), 0);
}

TEST(EventDependencies, TimersOfSubscriptionsStartTheirConsumers) {
  EventDependencies declared;
  declared.add_consumer(7, filter_of(any({every(50ms), after(2ms), unless_within(20ms)})));
  EXPECT_EQ(declared.timers(), (std::vector<TimerCalls>{{7, 50ms, false}, {7, 2ms, true}, {7, 20ms, false}}));
}

TEST(EventDependencies, NumbersThatDoNotFitStayTheLargest) {
  EventDependencies declared;
  declared.add_supplier(1, std::vector<Publication>(3, {20, 1, INT64_MAX}));
  declared.add_consumer(2, filter_of(all({filters::event(20), filters::event(20)})));
  EXPECT_EQ(declared.calls(), (std::vector<EventCalls>{{1, 2, INT64_MAX}}));
  EXPECT_EQ(declared.pushes_of(1), INT64_MAX);
}

// Random suppliers and consumers of a channel.
struct Graph {
  scheduling::Repository repository;
  EventDependencies declared;
};

Graph random_graph(scheduling::RandomSets& random) {
  Graph graph;
  const auto suppliers = random.between(1, 5), consumers = random.between(1, 6);
  const std::int64_t periods_us[] = {5'000, 10'000, 20'000, 40'000};
  const auto operation = [&](const char* kind, std::int64_t number, Time execution, Time period) {
    const auto handle = *graph.repository.create(kind + std::to_string(number));
    scheduling::Requirements needs;
    needs.worstcase_execution_time = execution;
    needs.period = period;
    EXPECT_TRUE(graph.repository.set(handle, needs));
    return handle;
  };
  for (std::int64_t i = 0; i < suppliers; ++i) {
    const Handle handle = operation("supplier ", i, Time(random.between(50, 900) * 1'000),
                                    Time(random.one_of(std::span<const std::int64_t>(periods_us)) * 1'000));
    std::vector<Publication> publications;
    for (auto left = random.between(1, 2); left > 0; --left)
      publications.push_back({static_cast<std::int32_t>(random.between(20, 24)),
                              static_cast<std::int32_t>(i + 1), random.between(1, 2)});
    graph.declared.add_supplier(handle, publications);
  }
  for (std::int64_t i = 0; i < consumers; ++i) {
    const auto first = static_cast<std::int32_t>(random.between(20, 24));
    const Entries alone = filters::event(first),
                  set = all({filters::event(first), filters::event(first == 24 ? 20 : first + 1)});
    const Handle handle = operation("consumer ", i, Time(random.between(20, 600) * 1'000), Time(0));
    graph.declared.add_consumer(handle, filter_of(random.between(0, 2) == 0 ? set : alone));
  }
  for (const EventCalls& each : graph.declared.calls())
    EXPECT_TRUE(graph.repository.add_dependency(each.caller, each.callee, each.times,
                                                scheduling::DependencyType::one_way));
  return graph;
}

TEST(EventDependencies, BoundsThroughAChannelHoldInRandomGraphs) {
  scheduling::RandomSets random(31);
  int simulated = 0;
  for (int i = 0; i < 1'000; ++i) {
    const Graph graph = random_graph(random);
    const bool level_each = random.between(0, 1) == 1;
    auto analysis = scheduling::analyse(graph.repository, {.level_each = level_each});
    if (!analysis || analysis->verdict != scheduling::Verdict::meets) continue;  // a consumer without events
    std::map<Handle, std::int32_t> level_of_consumer;
    for (std::size_t t = 0; t < analysis->threads.size(); ++t)
      if (analysis->threads[t].trigger) {
        const std::int32_t level = analysis->results[t].priority.level;
        EXPECT_EQ(level_of_consumer.try_emplace(analysis->threads[t].entry, level).first->second, level);
      }
    const auto run = scheduling::simulate(*analysis, {.horizon = Time(80'000'000)});
    for (std::size_t t = 0; t < analysis->threads.size(); ++t)
      EXPECT_LE(run.threads[t].worst_response, *analysis->results[t].response)
          << graph.repository[analysis->threads[t].entry].entry_point << " of graph " << i;
    ++simulated;
  }
  EXPECT_GT(simulated, 100);
}

}  // namespace
}  // namespace takt::rt_events
