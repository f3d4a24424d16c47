// The limits of the options table take effect.
#include <atomic>
#include <thread>
#include <vector>

#include "hostile_fixture.h"

namespace feature {
namespace {

using Limits = Hostile;

TEST_P(Limits, MessageSize) {
  start({"-ORBMaxMessageSize", "64KiB"});
  RawPeer peer(place->port);
  MessageOctets fits = request(1, place->key, "echo_octets", {}, true);
  ASSERT_TRUE(peer.send(fits.sequence(Octets(60'000)).finish()));
  EXPECT_EQ(type_of(peer.receive_message()), reply_type);
  MessageOctets longer = request(2, place->key, "echo_octets", {}, true);
  (void)peer.send(longer.sequence(Octets(70'000)).finish());
  EXPECT_TRUE(peer.closes_within(10s));
  expect_others_served();
}

TEST_P(Limits, FragmentsTogether) {
  start({"-ORBMaxMessageSize", "64KiB"});
  RawPeer peer(place->port);
  Octets first = request(1, place->key, "echo_octets", {}, true).align(8).finish();
  first[6] |= 2;
  Octets part = MessageOctets(7).u32(1).raw(Octets(8000)).finish();
  part[6] |= 2;
  ASSERT_TRUE(peer.send(first));
  int parts = 0;
  while (parts < 100 && peer.send(part) && !peer.closes_within(10ms)) ++parts;
  EXPECT_LT(parts, 20);
  expect_others_served();
}

TEST_P(Limits, Connections) {
  start({"-ORBMaxConnections", "3"});
  expect_others_served();  // has one
  RawPeer second(place->port), third(place->port);
  for (RawPeer* peer : {&second, &third}) {
    ASSERT_TRUE(peer->send(request(1, place->key, "nothing").finish()));
    EXPECT_EQ(type_of(peer->receive_message()), reply_type);
  }
  for (int i = 0; i < 5; ++i) {
    RawPeer more(place->port);
    EXPECT_TRUE(more.closes_within(10s));
  }
  ASSERT_TRUE(second.send(request(2, place->key, "nothing").finish()));
  EXPECT_EQ(type_of(second.receive_message()), reply_type) << "those that are open stay";
  expect_others_served();
}

TEST_P(Limits, IdleConnections) {
  start({"-ORBIdleTimeout", "200ms"});
  RawPeer peer(place->port);
  ASSERT_TRUE(peer.send(request(1, place->key, "nothing").finish()));
  EXPECT_EQ(type_of(peer.receive_message()), reply_type);
  RawPeer silent(place->port);
  EXPECT_TRUE(silent.closes_within(10s));
  EXPECT_TRUE(peer.closes_within(10s));
  expect_others_served();
}

INSTANTIATE_TEST_SUITE_P(Servers, Limits, testing::ValuesIn(server_concurrencies), name_of);

class ClientLimits : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Sharing, ClientLimits, testing::Values("multiplexed", "multiplexed-active"),
                         name_of);

TEST_P(ClientLimits, OutstandingRequestsOnASharedConnection) {
  ServerAndClient orbs({}, {"-ORBClientConnections", GetParam(), "-ORBMaxOutstandingRequests", "2"});
  orbs.echo->nothing();
  std::atomic<int> refused{0}, served{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 6; ++i)
    callers.emplace_back([&] {
      try {
        orbs.echo->sleep_ms(300);
        ++served;
      } catch (const CORBA::TRANSIENT& failure) {
        EXPECT_EQ(failure.completed(), CORBA::COMPLETED_NO);
        EXPECT_NE(std::string(failure.what()).find("-ORBMaxOutstandingRequests"), std::string::npos);
        ++refused;
      }
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_GE(served, 2);
  EXPECT_GE(refused, 1);
  EXPECT_EQ(served + refused, 6);
  EXPECT_EQ(orbs.echo->cube(2), 8) << "the connection is still good";
}

}  // namespace
}  // namespace feature
