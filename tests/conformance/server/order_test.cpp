// The order in which queued requests are served.
#include <gtest/gtest.h>

#include <memory>

#include "gate.h"
#include "orbs.h"
#include "raw_peer.h"

namespace feature {
namespace {

using Contexts = std::vector<std::pair<std::uint32_t, Octets>>;

class Order : public testing::TestWithParam<const char*> {
 protected:
  ~Order() override { keeper->gate.open(); }

  void start(const char* order, const char* most_queued = "1000") {
    orbs = std::make_unique<ServerAndClient>(
        std::vector<std::string>{"-ORBServerConcurrency", GetParam(), "-ORBServerThreads", "1",
                                 "-ORBQueueOrder", order, "-ORBMaxQueuedRequests", most_queued});
    const Place place(orbs->client->object_to_string(orbs->publish<Calls::Echo>(keeper)));
    key = place.key;
    port = place.port;
    peer = std::make_unique<RawPeer>(place.port);
    ASSERT_TRUE(peer->send(request(0, key, "nothing").finish()));
    ASSERT_TRUE(keeper->gate.entered_by(1));
  }
  void send(std::uint32_t id, const Contexts& contexts) {
    ASSERT_TRUE(peer->send(request(id, key, "cube", contexts, true).raw({2}).finish()));
  }
  // The ids of all sent requests in the order of service. Waits until all are in the queue: the reader itself
  // answers a LocateRequest.
  std::vector<std::uint32_t> served(std::size_t count) {
    peer->send(MessageOctets(3).u32(99).u32(0).sequence(key).finish());
    EXPECT_EQ(id_of(peer->receive_message()), 99u);
    keeper->gate.open();
    std::vector<std::uint32_t> ids;
    for (std::size_t i = 0; i <= count; ++i) ids.push_back(id_of(peer->receive_message()));
    EXPECT_EQ(ids.front(), 0u);
    ids.erase(ids.begin());
    return ids;
  }
  static std::uint32_t id_of(const Octets& message) {
    std::uint32_t id = 0xffffffff;
    if (message.size() >= 16) std::memcpy(&id, &message[12], 4);
    return id;
  }

  static std::pair<std::uint32_t, Octets> rt_priority(std::uint8_t value) { return {10, {1, 0, value, 0}}; }
  static std::pair<std::uint32_t, Octets> request_priority(std::uint8_t low, std::uint8_t high) {
    return {7, {1, 0, 0, 0, 1, 0, 0, 0, 25, 0, 0, 0, 6, 0, 0, 0, 1, 0, low, 0, high, 0}};
  }
  static std::pair<std::uint32_t, Octets> quality(std::uint8_t importance, std::uint8_t communication = 0) {
    Octets quality(24, 0);
    quality[0] = 1;
    quality[1] = communication;
    quality[2] = quality[3] = 0xff;  // no priority
    quality[4] = importance;
    for (int i = 16; i < 24; ++i) quality[static_cast<std::size_t>(i)] = 0xff;
    return {0x54414b03, quality};
  }
  static std::pair<std::uint32_t, Octets> deadline_in(std::uint8_t seconds) {
    Octets quality(24, 0);
    quality[0] = 1;
    const std::uint64_t remaining = seconds * 1'000'000'000ull;
    std::memcpy(&quality[16], &remaining, 8);
    return {0x54414b03, quality};
  }

  CORBA::servant_reference<Keeper> keeper = CORBA::make_reference<Keeper>();
  std::unique_ptr<ServerAndClient> orbs;
  std::unique_ptr<RawPeer> peer;
  Octets key;
  std::uint16_t port = 0;
};

TEST_P(Order, TemporalIsAsTheyCame) {
  start("temporal");
  send(1, {rt_priority(1)});
  send(2, {rt_priority(9)});
  send(3, {deadline_in(20)});
  EXPECT_EQ(served(3), (std::vector<std::uint32_t>{1, 2, 3}));
}

TEST_P(Order, PriorityIsTheHighestFirstAndARequestPriorityCountsInPlaceOfTheThreads) {
  start("priority");
  send(1, {});
  send(2, {rt_priority(5)});
  send(3, {rt_priority(9)});
  send(4, {rt_priority(5)});
  send(5, {rt_priority(1), request_priority(0, 7)});
  send(6, {rt_priority(9), request_priority(0, 0)});
  EXPECT_EQ(served(6), (std::vector<std::uint32_t>{3, 5, 2, 4, 6, 1}));
}

TEST_P(Order, DeadlineIsTheEarliestFirst) {
  start("deadline");
  send(1, {});
  send(2, {deadline_in(30)});
  send(3, {deadline_in(20)});
  send(4, {deadline_in(40)});
  EXPECT_EQ(served(4), (std::vector<std::uint32_t>{3, 2, 4, 1}));
}

// Between requests with the same priority or deadline, or with neither.
TEST_P(Order, ImportanceBreaksTies) {
  for (const char* order : {"importance", "priority", "deadline", "fixed", "laxity", "urgency"}) {
    keeper = CORBA::make_reference<Keeper>();
    start(order);
    send(1, {quality(1)});
    send(2, {});
    send(3, {quality(9)});
    send(4, {quality(1)});
    send(5, {quality(200)});
    EXPECT_EQ(served(5), (std::vector<std::uint32_t>{5, 3, 1, 4, 2})) << order;
    peer.reset();
    orbs.reset();
  }
}

TEST_P(Order, ImportanceDoesNotGoBeforePriorityNorBeforeWhenTheyCame) {
  start("priority");
  send(1, {rt_priority(5), quality(9)});
  send(2, {rt_priority(6)});
  send(3, {rt_priority(5), quality(20)});
  EXPECT_EQ(served(3), (std::vector<std::uint32_t>{2, 3, 1}));
  peer.reset();
  orbs.reset();
  keeper = CORBA::make_reference<Keeper>();
  start("temporal");
  send(1, {});
  send(2, {quality(9)});
  EXPECT_EQ(served(2), (std::vector<std::uint32_t>{1, 2}));
}

constexpr std::uint8_t message = 0, isochronous = 1, burst = 2, message_stream = 3;

// Which requests are refused and which are served, in the order of replies.
TEST_P(Order, AtTheLimitALowerClassGivesWay) {
  start("temporal", "3");
  send(1, {quality(0, burst)});
  send(2, {quality(0, message)});
  send(3, {quality(0, burst)});
  send(4, {quality(0, burst)});  // not higher than those in the queue
  EXPECT_EQ(id_of(peer->receive_message()), 4u);
  send(5, {});  // class message: the last request of the lowest class is refused
  EXPECT_EQ(id_of(peer->receive_message()), 3u);
  send(6, {quality(0, message_stream)});
  const Octets refused = peer->receive_message();
  EXPECT_EQ(id_of(refused), 1u);
  EXPECT_EQ(exception_of(refused), "IDL:omg.org/CORBA/TRANSIENT:1.0");
  send(7, {quality(0, isochronous)});
  EXPECT_EQ(id_of(peer->receive_message()), 5u);
  send(8, {quality(9, message)});  // importance does not change the class
  EXPECT_EQ(id_of(peer->receive_message()), 8u);
  send(9, {quality(0, isochronous)});
  EXPECT_EQ(id_of(peer->receive_message()), 2u);
  EXPECT_EQ(served(3), (std::vector<std::uint32_t>{6, 7, 9}));
}

TEST_P(Order, AnotherConnectionsRequestOfALowerClassGivesWay) {
  start("temporal", "1");
  RawPeer other(port);
  ASSERT_TRUE(other.send(request(50, key, "cube", {quality(0, burst)}, true).raw({2}).finish()));
  ASSERT_TRUE(other.send(MessageOctets(3).u32(98).u32(0).sequence(key).finish()));
  EXPECT_EQ(id_of(other.receive_message()), 98u) << "the request before waits";
  send(1, {quality(0, isochronous)});
  EXPECT_EQ(id_of(other.receive_message()), 50u);
  EXPECT_EQ(served(1), (std::vector<std::uint32_t>{1}));
}

INSTANTIATE_TEST_SUITE_P(Each, Order, testing::Values("worker-pool", "threading-framework"),
                         [](const auto& name) {
                           return name.param == std::string("worker-pool") ? "WorkerPool"
                                                                           : "ThreadingFramework";
                         });

}  // namespace
}  // namespace feature
