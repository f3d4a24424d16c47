#include <unistd.h>

#include "channel_fixture.h"

namespace takt::rt_events {
namespace {

TEST_F(Channel, PassesEventsToTheConsumersThatWantThem) {
  start();
  const auto some = std::make_shared<Recorder>(), all = std::make_shared<Recorder>();
  const auto first = connect(some, {.filter = filters::event(20)});
  const auto second = connect(all, {.filter = filters::event(any_type, 1)});
  for (int i = 1; i <= 3; ++i) channel_->push(event(19 + i, i));
  channel_->push(event(20, 4, 2));
  ASSERT_TRUE(some->has(2) && all->has(3));
  EXPECT_EQ(some->numbers(), (Numbers{1, 4}));
  EXPECT_EQ(all->numbers(), (Numbers{1, 2, 3}));
  channel_->push(event(99, 5, 7));
  EXPECT_EQ(channel_->counts().pushed, 5u);
  EXPECT_EQ(channel_->counts().without_consumer, 1u);
}

TEST_F(Channel, KeepsTheContentsOfEvents) {
  start();
  RtecEventComm::Event sent = event(20, 7, 3), got;
  sent.header().ttl(5);
  sent.header().creation_time(11);
  sent.data().payload({1, 2, 3});
  CORBA::Any any;
  any <<= std::int32_t{42};
  sent.data().any_value(any);
  std::latch arrived(1);
  const auto connection = connect(std::make_shared<Caller>([&](const EventList& events) {
                                    got = events.front();
                                    arrived.count_down();
                                  }),
                                  {.filter = filters::event(20)});
  channel_->push(sent);
  arrived.wait();
  EXPECT_GT(got.header().ec_recv_time(), 0x01B21DD213814000u);  // after 1970
  EXPECT_GE(got.header().ec_send_time(), got.header().ec_recv_time());
  EXPECT_EQ(got.header().ttl(), 5);
  EXPECT_EQ(got.header().creation_time(), 11u);
  EXPECT_EQ(got.data().payload(), sent.data().payload());
  std::int32_t number = 0;
  EXPECT_TRUE(got.data().any_value() >>= number);
  EXPECT_EQ(number, 42);
}

// Takes several events in a call. The first call waits until `go_on`.
class SeveralTaker final : public Recorder {
 public:
  bool takes_several() const override { return true; }
  void push(const EventList& events) override {
    if (calls() == 0) go_on.wait();
    most = std::max(most, events.size());  // before the events can be seen
    Recorder::push(events);
  }
  std::latch go_on{1};
  std::size_t most = 0;
};

TEST_F(Channel, GivesEventsThatWaitTogetherToConsumersThatTakeThat) {
  start({.queued_events = 1'000});
  const auto together = std::make_shared<SeveralTaker>();
  const auto alone = std::make_shared<Recorder>();
  const auto first = connect(together, {.filter = filters::event(20)});
  const auto second = connect(alone, {.filter = filters::event(20)});
  Numbers pushed;
  for (int i = 1; i <= 500; ++i) {
    channel_->push(event(20, i));
    pushed.push_back(i);
  }
  together->go_on.count_down();
  ASSERT_TRUE(together->has(500) && alone->has(500));
  EXPECT_EQ(together->numbers(), pushed);
  EXPECT_EQ(alone->numbers(), pushed);
  EXPECT_EQ(together->most, EventConsumer::most_together);
  EXPECT_LT(together->calls(), 20);
  EXPECT_EQ(alone->calls(), 500);
  EXPECT_EQ(channel_->counts().events, 0u);
}

TEST_F(Channel, GathersEventsAfterACallWithMany) {
  start({.queued_events = 1'000, .gather = 200ms});
  const auto gatherer = std::make_shared<SeveralTaker>();
  const auto alone = std::make_shared<Recorder>();
  const auto first = connect(gatherer, {.filter = filters::event(20)});
  const auto second = connect(alone, {.filter = filters::event(20)});
  const auto push = [&](int from, int to) {
    for (int i = from; i <= to; ++i) channel_->push(event(20, i));
  };
  push(1, 100);
  gatherer->go_on.count_down();
  ASSERT_TRUE(gatherer->has(100));
  const int calls = gatherer->calls();
  push(101, 105);
  EXPECT_TRUE(alone->has(105));  // others of its level are not delayed
  ASSERT_TRUE(gatherer->has(105));
  EXPECT_EQ(gatherer->calls(), calls + 1);
  // After a call with few events, they are no longer gathered.
  push(106, 106);
  ASSERT_TRUE(gatherer->has(106));
  // The end of a connection does not wait for the pause, and leaves nothing behind.
  push(107, 120);
  first->disconnect();
  const std::size_t received = gatherer->numbers().size();
  EXPECT_TRUE(eventually([&] { return channel_->counts().events == 0; }));
  EXPECT_EQ(gatherer->numbers().size(), received);
}

TEST_F(Channel, GivesLongEventsTogetherUpToTheirBytes) {
  start({.queued_events = 1'000, .queued_bytes = std::size_t{64} << 20});
  const auto consumer = std::make_shared<SeveralTaker>();
  const auto connection = connect(consumer, {.filter = filters::event(20)});
  for (int i = 1; i <= 40; ++i) {
    RtecEventComm::Event each = event(20, i);
    each.data().payload().resize(20'000);
    channel_->push(each);
  }
  consumer->go_on.count_down();
  ASSERT_TRUE(consumer->has(40));
  EXPECT_EQ(consumer->most, 4u);
}

TEST_F(Channel, GivesEachConjunctionAlone) {
  start();
  const auto consumer = std::make_shared<SeveralTaker>();
  consumer->go_on.count_down();
  const auto connection =
      connect(consumer, {.filter = filters::all({filters::event(20), filters::event(21)})});
  for (int i = 0; i < 10; ++i) {
    channel_->push(event(20, 2 * i));
    channel_->push(event(21, 2 * i + 1));
  }
  ASSERT_TRUE(consumer->has(20));
  EXPECT_EQ(consumer->calls(), 10);
}

TEST_F(Channel, DeliversConjunctionsAsOneList) {
  start();
  const auto consumer = std::make_shared<Recorder>();
  const auto connection =
      connect(consumer, {.filter = filters::all({filters::event(20), filters::event(21)})});
  channel_->push(event(21, 1));
  channel_->push(event(21, 2));
  channel_->push(event(20, 3));
  ASSERT_TRUE(consumer->has(2));
  EXPECT_EQ(consumer->numbers(), (Numbers{3, 2}));
  EXPECT_EQ(consumer->calls(), 1);
}

TEST_F(Channel, KeepsNothingForASuspendedConsumer) {
  start();
  const auto consumer = std::make_shared<Recorder>();
  const auto connection = connect(consumer, {.filter = filters::event(20)});
  connection->suspend();
  channel_->push(event(20, 1));
  EXPECT_TRUE(connection->counts().suspended);
  connection->resume();
  channel_->push(event(20, 2));
  ASSERT_TRUE(consumer->has(1));
  EXPECT_EQ(consumer->numbers(), Numbers{2});
  EXPECT_EQ(connection->counts().missed, 1u);
  EXPECT_FALSE(connection->counts().suspended);
}

TEST_F(Channel, HoldsTheEventsOfAConsumerUntilTheyAreReleased) {
  start({.queued_events = 2});
  EventConnection* own = nullptr;
  std::mutex mutex;
  Numbers got;
  const auto consumer = std::make_shared<Caller>([&](const EventList& events) {
    const std::lock_guard lock(mutex);
    got.push_back(events.front().data().pad1());
    if (events.front().data().pad1() == 4) own->hold();
  });
  const auto other = std::make_shared<Recorder>();
  const auto connection = connect(consumer, {.filter = filters::event(20), .held = true});
  const auto prompt = connect(other, {.filter = filters::event(20)});
  own = connection.get();
  std::size_t pushed = 0;
  const auto push = [&](std::int32_t number) {
    channel_->push(event(20, number));
    EXPECT_TRUE(other->has(++pushed));  // the level does not wait for the other
  };
  for (std::int32_t number = 1; number <= 3; ++number) push(number);
  EXPECT_TRUE(connection->counts().held);
  EXPECT_EQ(connection->counts().pending, 2u);
  EXPECT_EQ(connection->counts().discarded, 1u);
  EXPECT_EQ(connection->counts().deliveries, 0u);
  connection->release();
  ASSERT_TRUE(eventually([&] { return connection->counts().deliveries == 2; }));
  push(4);
  ASSERT_TRUE(eventually([&] { return connection->counts().deliveries == 3; }));
  push(5);
  EXPECT_EQ(connection->counts().pending, 1u);
  connection->release();
  ASSERT_TRUE(eventually([&] { return connection->counts().deliveries == 4; }));
  const std::lock_guard lock(mutex);
  EXPECT_EQ(got, (Numbers{2, 3, 4, 5}));
}

TEST_F(Channel, BoundsTheBytesThatWaitForAConsumer) {
  for (const Discard discard : {Discard::oldest, Discard::newest}) {
    start({.queued_bytes = 2'000, .event_bytes = 5'000});
    std::latch entered(1), leave(1);
    std::mutex mutex;
    Numbers got;
    const auto consumer = std::make_shared<Caller>([&](const EventList& events) {
      if (events.front().data().pad1() == 1) {
        entered.count_down();
        leave.wait();
      }
      const std::lock_guard lock(mutex);
      got.push_back(events.front().data().pad1());
    });
    const auto connection = connect(consumer, {.filter = filters::event(20), .discard = discard});
    const auto push = [&](std::int32_t number, std::size_t bytes) {
      RtecEventComm::Event large = event(20, number);
      large.data().payload().resize(bytes);
      channel_->push(large);
    };
    push(1, 0);
    entered.wait();
    push(2, 1'000);
    push(3, 1'000);
    push(4, 900);
    push(5, 5'001);
    EXPECT_EQ(channel_->counts().refused, 1u);
    RtecEventComm::Event of_long_type = event(20, 5);
    CORBA::Any value;
    value <<= std::int32_t{1};
    value.type(cdr::make_alias("IDL:A:1.0", std::string(5'000, 'x'), value.type()));
    of_long_type.data().any_value(value);
    channel_->push(of_long_type);
    EXPECT_EQ(channel_->counts().refused, 2u);
    EXPECT_EQ(connection->counts().pending, 2u);
    EXPECT_EQ(connection->counts().discarded, 1u);
    leave.count_down();
    ASSERT_TRUE(eventually([&] { return connection->counts().deliveries == 3; }));
    push(6, 4'000);  // alone
    ASSERT_TRUE(eventually([&] { return connection->counts().deliveries == 4; }));
    const std::lock_guard lock(mutex);
    EXPECT_EQ(got, discard == Discard::oldest ? (Numbers{1, 3, 4, 6}) : (Numbers{1, 2, 3, 6}));
  }
}

// The consumer is in its first call while the others are pushed.
TEST_F(Channel, DiscardsTheOldestOrTheNewestEventOfAFullQueue) {
  for (const Discard discard : {Discard::oldest, Discard::newest}) {
    start();
    Numbers got;
    std::latch called(1), go_on(1);
    const auto connection = connect(std::make_shared<Caller>([&](const EventList& events) {
                                      got.push_back(events.front().data().pad1());
                                      if (got.size() == 1) called.count_down(), go_on.wait();
                                    }),
                                    {.filter = filters::event(20), .queued_events = 2, .discard = discard});
    channel_->push(event(20, 0));
    called.wait();
    for (int i = 1; i <= 5; ++i) channel_->push(event(20, i));
    EXPECT_EQ(connection->counts().pending, 2u);
    EXPECT_EQ(connection->counts().discarded, 3u);
    EXPECT_GT(connection->counts().in_call, 0ns);
    EXPECT_EQ(channel_->counts().consumers.front().pending, 2u);
    go_on.count_down();
    ASSERT_TRUE(eventually([&] { return connection->counts().deliveries == 3; }));
    channel_->stop();
    EXPECT_EQ(got, discard == Discard::oldest ? (Numbers{0, 4, 5}) : (Numbers{0, 1, 2}));
    EXPECT_EQ(channel_->counts().events, 0u);
  }
}

TEST_F(Channel, ReplacesTheThreadOfAConsumerThatHangs) {
  start({.slow_after = 2ms});
  std::latch go_on(1), called(3);
  std::vector<std::unique_ptr<EventConnection>> connections;
  for (int i = 0; i < 3; ++i)
    connections.push_back(connect(std::make_shared<Caller>([&](const EventList&) {
                                    called.count_down();
                                    go_on.wait();
                                  }),
                                  {.filter = filters::event(20), .name = "hangs"}));
  const auto prompt = std::make_shared<Recorder>();
  const auto connection = connect(prompt, {.filter = filters::event(20), .name = "prompt"});
  channel_->push(event(20, 1));
  EXPECT_TRUE(prompt->has(1));
  called.wait();
  channel_->push(event(20, 2));
  EXPECT_TRUE(prompt->has(2));
  EXPECT_GE(channel_->counts().threads_replaced, 3u);
  EXPECT_EQ(channel_->counts().consumers.front().name, "hangs");  // the most pending events
  EXPECT_EQ(channel_->counts().consumers.front().pending, 1u);
  go_on.count_down();
  ASSERT_TRUE(eventually([&] { return connections[0]->counts().deliveries == 2; }));
  EXPECT_GE(connections[0]->counts().slow_calls, 1u);
}

TEST_F(Channel, CountsExceptionsAndGoesOn) {
  start();
  std::atomic<int> calls{0};
  const auto connection = connect(std::make_shared<Caller>([&](const EventList&) {
                                    if (++calls == 1) throw std::runtime_error("first");
                                    if (calls == 2) throw 7;
                                  }),
                                  {.filter = filters::event(20)});
  for (int i = 0; i < 3; ++i) channel_->push(event(20, i));
  EXPECT_TRUE(eventually([&] { return connection->counts().deliveries == 3; }));
  EXPECT_EQ(connection->counts().failures, 2u);
}

TEST_F(Channel, CallsNoConsumerAfterItsDisconnection) {
  start();
  std::atomic<bool> connected{true}, called_later{false};
  auto connection = connect(std::make_shared<Caller>([&](const EventList&) { called_later = !connected; }),
                            {.filter = filters::event(20)});
  std::atomic<bool> over{false};
  std::thread supplier([&] {
    while (!over) channel_->push(event(20, 1));
  });
  EXPECT_TRUE(eventually([&] { return connection->counts().deliveries > 100; }));
  connection->disconnect();
  connected = false;
  connection.reset();
  over = true;
  supplier.join();
  EXPECT_FALSE(called_later);
  EXPECT_TRUE(channel_->counts().consumers.empty());
  EXPECT_TRUE(eventually([&] { return channel_->counts().events == 0; }));
}

// In its call a consumer disconnects itself and one whose event is pending behind it, and connects another.
TEST_F(Channel, ChangesConnectionsInACall) {
  start();
  std::unique_ptr<EventConnection> own, other, next;
  const auto late = std::make_shared<Recorder>(), never = std::make_shared<Recorder>();
  std::latch done(1);
  own = connect(std::make_shared<Caller>([&](const EventList&) {
                  own->disconnect();
                  other->disconnect();
                  next = connect(late, {.filter = filters::event(21)});
                  channel_->push(event(21, 5));
                  done.count_down();
                }),
                {.filter = filters::event(20)});
  std::latch holding(1), go_on(1);
  const auto holder = connect(std::make_shared<Caller>([&](const EventList&) {
                                holding.count_down();
                                go_on.wait();
                              }),
                              {.filter = filters::event(19)});
  other = connect(never, {.filter = filters::event(20)});
  channel_->push(event(19, 0));
  holding.wait();
  channel_->push(event(20, 1));
  channel_->push(event(20, 2));
  go_on.count_down();
  done.wait();
  ASSERT_TRUE(late->has(1));
  EXPECT_EQ(late->numbers(), Numbers{5});
  EXPECT_EQ(own->counts().deliveries, 1u);
  EXPECT_TRUE(never->numbers().empty());
}

TEST_F(Channel, LetsAConsumerDropItsConnectionInACall) {
  start();
  std::unique_ptr<EventConnection> own;
  std::atomic<int> calls{0};
  auto consumer = std::make_shared<Caller>([&](const EventList&) {
    ++calls;
    own.reset();
  });
  const std::weak_ptr<EventConsumer> kept = consumer;
  std::latch holding(1), go_on(1);
  const auto holder = connect(std::make_shared<Caller>([&](const EventList&) {
                                holding.count_down();
                                go_on.wait();
                              }),
                              {.filter = filters::event(19)});
  own = connect(std::move(consumer), {.filter = filters::event(20)});
  channel_->push(event(19, 0));
  holding.wait();
  channel_->push(event(20, 1));
  channel_->push(event(20, 2));
  go_on.count_down();
  EXPECT_TRUE(eventually([&] { return calls == 1 && channel_->counts().events == 0; }));
  // The next change forgets it.
  const auto other = connect(std::make_shared<Recorder>(), {.filter = filters::event(20)});
  other->disconnect();
  EXPECT_TRUE(eventually([&] { return kept.expired(); }));
  EXPECT_EQ(calls, 1);
}

// A consumer whose destructor calls the channel.
class Chained final : public EventConsumer {
 public:
  Chained(EventChannel& channel, std::unique_ptr<EventConnection> next)
      : channel_(channel), next_(std::move(next)) {}
  ~Chained() override {
    next_.reset();
    EXPECT_EQ(channel_.counts().consumers.size(), 0u);
  }
  void push(const EventList&) override {}

 private:
  EventChannel& channel_;
  std::unique_ptr<EventConnection> next_;
};

TEST_F(Channel, DropsConsumersWhoseDestructorsCallIt) {
  start();
  std::weak_ptr<EventConsumer> last;
  {
    const auto recorder = std::make_shared<Recorder>();
    last = recorder;
    auto connection = connect(recorder, {.filter = filters::event(20)});
    auto consumer = std::make_shared<Chained>(*channel_, std::move(connection));
    connection = connect(std::move(consumer), {.filter = filters::event(20)});
  }
  EXPECT_TRUE(last.expired()) << "nothing needs it until another consumer leaves";
}

TEST_F(Channel, DropsAConsumerThatHasLeftInItsLastCall) {
  start();
  std::unique_ptr<EventConnection> connection;
  std::latch connected(1);
  auto consumer = std::make_shared<Caller>([&](const EventList&) {
    connected.wait();
    connection.reset();
  });
  const std::weak_ptr<EventConsumer> weak = consumer;
  connection = connect(std::move(consumer), {.filter = filters::event(20)});
  connected.count_down();
  channel_->push(event(20, 1));
  EXPECT_TRUE(eventually([&] { return weak.expired(); }));
}

TEST_F(Channel, BoundsTheExpiriesOfAllTimers) {
  start({.timer_expiries = 2'500});
  const auto consumer = std::make_shared<Recorder>();
  const EventSubscription thousand{.filter = filters::every(1ms), .held = true};
  auto first = connect(consumer, thousand);
  const auto second = connect(consumer, thousand);
  EXPECT_NE(fault_of(thousand).find("2500 times in a second"), std::string::npos);
  EXPECT_EQ(fault_of({.filter = filters::any({filters::event(20), filters::every(10ms)})}), "");
  EXPECT_EQ(fault_of({.filter = filters::event(20)}), "");
  first.reset();
  EXPECT_EQ(fault_of(thousand), "");
}

TEST_F(Channel, ResumesAndDisconnectsInAnyOrder) {
  start();
  const auto consumer = std::make_shared<Recorder>();
  const auto connection = connect(consumer, {.filter = filters::event(20)});
  connection->resume();
  connection->suspend();
  connection->suspend();
  connection->disconnect();
  connection->disconnect();
  connection->resume();
  channel_->push(event(20, 1));
  channel_->stop();
  channel_->stop();
  channel_->push(event(20, 2));
  EXPECT_TRUE(consumer->numbers().empty());
  EXPECT_EQ(channel_->counts().events, 0u);
}

// The queue has one place, the payloads are long, and the types are designators and extreme numbers.
TEST_F(Channel, TakesStrangeEvents) {
  start({.payload_bytes = 0});
  const auto consumer = std::make_shared<Recorder>();
  const auto connection = connect(consumer, {.filter = filters::event(any_type), .queued_events = 1});
  for (const std::int32_t type : {0, 4, 6, 8, 14, -1, INT32_MIN + 1, INT32_MAX}) {
    RtecEventComm::Event strange = event(type, 1, INT32_MIN);
    strange.data().payload().resize(200'000);
    channel_->push(strange);
  }
  EXPECT_TRUE(eventually([&] {
    const ConnectionCounts counts = connection->counts();
    return counts.deliveries + counts.discarded == 8;
  }));
  EXPECT_TRUE(eventually([&] { return channel_->counts().events == 0; }));
}

TEST_F(Channel, FiresTimers) {
  start();
  const auto consumer = std::make_shared<Recorder>();
  const auto connection =
      connect(consumer, {.filter = filters::any({filters::after(1ms), filters::every(2ms)})});
  ASSERT_TRUE(consumer->has(5));
  const Numbers numbers = consumer->numbers();
  EXPECT_EQ(std::ranges::count(numbers, -once), 1);
  EXPECT_EQ(std::ranges::count(numbers, -interval), std::ssize(numbers) - 1);
}

// Only the group without events is late. Its deadline is much shorter than the other's.
TEST_F(Channel, FiresDeadlinesOfGroupsThatAreLate) {
  start();
  const auto late = std::make_shared<Recorder>(), prompt = std::make_shared<Recorder>();
  const auto first =
      connect(late, {.filter = filters::any({filters::event(20), filters::unless_within(2ms)})});
  const auto second =
      connect(prompt, {.filter = filters::any({filters::event(21), filters::unless_within(60s)})});
  channel_->push(event(21, 1));
  ASSERT_TRUE(late->has(3) && prompt->has(1));
  EXPECT_EQ(std::ranges::count(late->numbers(), -deadline), std::ssize(late->numbers()));
  EXPECT_EQ(prompt->numbers(), Numbers{1});
}

TEST_F(Channel, TakesItsLevelsFromTheSchedule) {
  start({.schedule = {{.name = "A::f", .priority = -1}, {.name = "A::g", .priority = -1}}});
  EXPECT_EQ(fault_of({.filter = filters::event(20), .operation = "A::h"}),
            "operation 'A::h' is not in the channel's schedule");
  EXPECT_EQ(fault_of({.filter = filters::event(20), .operation = "A::f"}),
            "");  // the level without a priority
}

TEST_F(Channel, RefusesWhatItCannotDo) {
  start({.consumers = 2, .max_queued_events = 100});
  EXPECT_EQ(fault_of({.filter = {{conjunction, 3}, {20}}}),
            "entry 2 of the subscription: the subscription ends where a filter must follow");
  EXPECT_EQ(fault_of({.filter = filters::event(20), .level = 1}),
            "level 1 does not exist; the channel has 1");
  EXPECT_EQ(fault_of({.filter = filters::event(20), .queued_events = 101}),
            "a queue of 101 events; 100 are permitted");
  EXPECT_EQ(channel_->connect(nullptr, {}).error(), "there is no consumer");
  auto first = connect(std::make_shared<Recorder>(), {}), second = connect(std::make_shared<Recorder>(), {});
  EXPECT_EQ(fault_of({}), "the channel has as many consumers, or places for events, as it may have");
  second.reset();
  EXPECT_EQ(fault_of({}), "");
  channel_->stop();
  EXPECT_EQ(fault_of({}), "the channel has stopped");
  EXPECT_EQ(EventChannel::start(orb_, {.queued_events = 0}).error(),
            "queued_events is 0; it may be 1 to 65536");
  EXPECT_EQ(EventChannel::start(orb_, {.slow_after = 0ms}).error(), "slow_after must be positive");
  EXPECT_EQ(EventChannel::start(orb_, {.levels = {{"low", -2}}}).error(),
            "level 'low' has the priority -2; it may be 0 to 32767, or -1 for none");
}

TEST_F(Channel, RefusesLevelsThatAreOneToTheSystem) {
  if (geteuid() != 0) GTEST_SKIP() << "needs the permission to use real-time priorities";
  EXPECT_EQ(
      EventChannel::start(orb_, {.levels = {{"urgent", 40}, {"ordinary", 10}}}).error(),
      "levels 'urgent' (40) and 'ordinary' (10) both have the system's priority 1; give them priorities "
      "farther apart, such as 20000 and 5000, or use -ORBPriorityMapping direct");
  EXPECT_TRUE(EventChannel::start(orb_, {.levels = {{"urgent", 20'000}, {"ordinary", 5'000}}}));
  EXPECT_TRUE(EventChannel::start(orb_, {.levels = {{"one", 40}, {"other", 40}, {"third"}}}));
}

TEST_F(Channel, LetsConnectionsOutliveIt) {
  start();
  auto connection = connect(std::make_shared<Recorder>(), {.filter = filters::event(20)});
  channel_->push(event(20, 1));
  channel_.reset();
  connection->suspend();
  EXPECT_TRUE(connection->counts().suspended);
  connection->disconnect();
}

// Suppliers, and consumers that come and go: every event that a queue accepted was delivered or discarded,
// and none is left.
TEST_F(Channel, LosesNoEventWhileConsumersComeAndGo) {
  start({.queued_events = 4});
  std::atomic<bool> over{false};
  std::vector<std::thread> threads;
  for (int supplier = 0; supplier < 2; ++supplier)
    threads.emplace_back([&] {
      for (int i = 0; !over; ++i) channel_->push(event(20 + i % 3, i));
    });
  const auto steady = connect(std::make_shared<Recorder>(), {.filter = filters::event(20)});
  for (int i = 0; i < 200; ++i) {
    const auto all = connect(std::make_shared<Recorder>(), {.filter = filters::event(any_type)});
    const auto pairs = connect(std::make_shared<Recorder>(),
                               {.filter = filters::all({filters::event(20), filters::event(21)})});
    std::this_thread::yield();
  }
  over = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(eventually([&] {
    const ConnectionCounts counts = steady->counts();
    return counts.accepted == counts.deliveries + counts.discarded;
  }));
  EXPECT_EQ(steady->counts().pending, 0u);
  EXPECT_TRUE(eventually([&] { return channel_->counts().events == 0; }));
}

}  // namespace
}  // namespace takt::rt_events
