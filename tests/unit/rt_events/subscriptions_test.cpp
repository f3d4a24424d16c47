// The table of a real-time channel's connections.
#include "rt_events/channel/subscriptions.h"

#include <future>

#include "channel_fixture.h"

namespace takt::rt_events {
namespace {

class SubscriptionsTest : public testing::Test {
 protected:
  std::shared_ptr<Connection> connection(std::shared_ptr<EventConsumer> consumer) {
    ConnectionSettings settings{.name = "consumer", .filter = *Filter::parse(filters::event(20), {})};
    settings.queued_events = 4;
    auto made = std::make_shared<Connection>(std::move(settings), std::move(consumer),
                                             Connection::Delivery{pool, level, timers, 1s}, [] {});
    EXPECT_TRUE(made->reserve());
    return made;
  }
  bool has_connection() {
    const Subscriptions::Reading reading(subscriptions);
    return !reading.table().accepting.empty();
  }

  EventPool pool{1'000, {}};
  Level level{4, 1, 0ns, {}, [] {}};
  rt_events::Timers timers{[] {}, [](os::TimePoint) { return false; }, 1s, 1'000};
  Subscriptions subscriptions;
};

// A change of the table may last as long as a reader of low priority is kept from running.
TEST_F(SubscriptionsTest, AreNotAwaitedByTheThreadsOfLevels) {
  auto consumer = std::make_shared<Recorder>();
  const std::weak_ptr<EventConsumer> weak = consumer;
  auto finished = connection(std::move(consumer));
  subscriptions.add(finished);
  subscriptions.remove(*finished);
  finished->end();
  finished.reset();
  std::optional<Subscriptions::Reading> reader(std::in_place, subscriptions);
  std::thread change([&] { subscriptions.add(connection(std::make_shared<Recorder>())); });
  EXPECT_TRUE(eventually([&] { return has_connection(); }));  // the change waits for the reader
  auto level_thread = std::async(std::launch::async, [&] { subscriptions.sweep_if_free(); });
  EXPECT_EQ(level_thread.wait_for(20s), std::future_status::ready);
  EXPECT_FALSE(weak.expired());
  reader.reset();
  change.join();
  level_thread.wait();
  subscriptions.sweep_if_free();
  EXPECT_TRUE(weak.expired());
  for (const auto& each : subscriptions.all()) {
    subscriptions.remove(*each);
    each->end();
  }
}

}  // namespace
}  // namespace takt::rt_events
