// The limits in the table of options take effect.
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "hostile_fixture.h"
#include "own_address.h"

namespace feature {
namespace {

using Limits = Hostile;

constexpr std::uint8_t cancel_type = 2, locate_type = 3, locate_reply_type = 4, message_error_type = 6;

Octets locate(std::uint32_t id, const Octets& key) {
  return MessageOctets(locate_type).u32(id).raw({0, 0, 0, 0}).sequence(key).finish();
}

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
  expect_others_served();  // already has a connection
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

// CancelRequests for unknown requests, and fragmented messages that are cancelled before they end.
Octets keep_busy_without_requests(std::uint32_t id) {
  Octets octets = MessageOctets(cancel_type).u32(id).finish();
  Octets begun = request(id + 1, {'k'}, "nothing").align(8).finish();
  begun[6] |= 2;
  const Octets cancelled = MessageOctets(cancel_type).u32(id + 1).finish();
  octets.insert(octets.end(), begun.begin(), begun.end());
  octets.insert(octets.end(), cancelled.begin(), cancelled.end());
  return octets;
}

TEST_P(Limits, OnlyRequestsKeepAConnectionFromBeingIdle) {
  start({"-ORBIdleTimeout", "300ms", "-ORBMessageTimeout", "200ms"});
  RawPeer peer(place->port);
  ASSERT_TRUE(peer.send(request(1, place->key, "nothing").finish()));
  EXPECT_EQ(type_of(peer.receive_message()), reply_type);
  bool closed = false;
  for (std::uint32_t id = 2; id < 400 && !closed; id += 2)
    closed = !peer.send(keep_busy_without_requests(id)) || peer.closes_within(25ms);
  EXPECT_TRUE(closed);
  expect_others_served();
}

TEST_P(Limits, RequestsKeepAConnectionFromBeingIdle) {
  start({"-ORBIdleTimeout", "400ms", "-ORBMessageTimeout", "100ms"});
  RawPeer peer(place->port);
  for (std::uint32_t id = 1; id <= 40; ++id) {
    const Octets asked = id % 2 ? request(id, place->key, "nothing").finish() : locate(id, place->key);
    ASSERT_TRUE(peer.send(asked));
    ASSERT_EQ(type_of(peer.receive_message()), id % 2 ? reply_type : locate_reply_type) << id;
    std::this_thread::sleep_for(50ms);
  }
}

TEST_P(Limits, AnUpcallThatTakesLongIsNotIdle) {
  start({"-ORBIdleTimeout", "200ms", "-ORBMessageTimeout", "100ms"});
  RawPeer peer(place->port);
  ASSERT_TRUE(peer.send(request(1, place->key, "sleep_ms", {}, true).u32(1500).finish()));
  EXPECT_EQ(type_of(peer.receive_message()), reply_type);
  ASSERT_TRUE(peer.send(request(2, place->key, "nothing").finish()));
  EXPECT_EQ(type_of(peer.receive_message()), reply_type) << "it was not closed meanwhile";
}

TEST_P(Limits, OlderVersionsOfGiop) {
  start({"-ORBMinGIOPVersion", "1.2"});
  RawPeer older(place->port), usual(place->port);
  Octets asked = request(1, place->key, "nothing").finish();
  ASSERT_TRUE(usual.send(asked));
  EXPECT_EQ(type_of(usual.receive_message()), reply_type);
  asked[5] = 1;
  ASSERT_TRUE(older.send(asked));
  const Octets answer = older.receive_message();
  EXPECT_EQ(type_of(answer), message_error_type);
  ASSERT_GE(answer.size(), 6u);
  EXPECT_EQ(answer[5], 2) << "our own version";
  EXPECT_TRUE(older.closes_within(10s));
  expect_others_served();
}

// Connects to an address of this machine that is not loopback and therefore counts as a remote peer.
TEST_P(Limits, ConnectionsOfOnePeer) {
  const std::uint32_t own = own_address();
  if (own == 0) GTEST_SKIP() << "this machine has no other address than loopback's";
  in_addr number{htonl(own)};
  const std::string host = ::inet_ntoa(number);
  start({"-ORBMaxConnectionsPerPeer", "2", "-ORBListenEndpoints", "iiop://" + host + ":0"});
  const auto port_at = [&](const std::string& wanted) {
    for (const std::string& place : orbs->server->_published_endpoints())
      if (place.find(wanted) != std::string::npos)
        return static_cast<std::uint16_t>(std::stoi(place.substr(place.rfind(':') + 1)));
    throw std::runtime_error("the server does not listen at " + wanted);
  };
  const std::uint16_t port = port_at(host);
  const auto connect = [&] { return std::make_unique<RawPeer>(port, own); };
  place->port = port_at("127.0.0.1");
  const auto first = connect();
  auto second = connect();
  for (RawPeer* peer : {first.get(), second.get()}) {
    ASSERT_TRUE(peer->send(request(1, place->key, "nothing").finish()));
    EXPECT_EQ(type_of(peer->receive_message()), reply_type);
  }
  EXPECT_TRUE(connect()->closes_within(10s));
  std::vector<std::unique_ptr<RawPeer>> local;
  for (int i = 0; i < 5; ++i) {
    local.push_back(std::make_unique<RawPeer>(place->port));
    ASSERT_TRUE(local.back()->send(request(1, place->key, "nothing").finish()));
    EXPECT_EQ(type_of(local.back()->receive_message()), reply_type) << "loopback is not counted";
  }
  second.reset();
  bool served = false;  // once the server has noticed the closed connection
  for (int i = 0; i < 100 && !served; ++i) {
    const auto next = connect();
    served = next->send(request(1, place->key, "nothing").finish()) &&
             type_of(next->receive_message()) == reply_type;
    if (!served) std::this_thread::sleep_for(20ms);
  }
  EXPECT_TRUE(served);
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
