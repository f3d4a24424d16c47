// The exact octets that leave a bridge, and attacks by hostile clients.
#include <algorithm>
#include <future>

#include "../calls/hostile_server.h"
#include "../hostile/raw_peer.h"
#include "bridged.h"

namespace feature {
namespace {

using Words = std::vector<std::uint8_t>;

constexpr std::uint32_t some_context = 0x41424344;

bool contains(const Words& all, const Words& part) {
  return std::ranges::search(all, part).begin() != all.end();
}

// The marshalled form of a reference.
Words octets_of_ior(const std::string& url) {
  const Client client;
  const std::string text = client.orb->object_to_string(client.orb->string_to_object(url));
  Words octets;
  for (std::size_t i = 4; i + 1 < text.size(); i += 2)
    octets.push_back(static_cast<std::uint8_t>(std::stoi(text.substr(i, 2), nullptr, 16)));
  return octets;
}

class BridgedOctets : public testing::TestWithParam<const char*> {};

TEST_P(BridgedOctets, BodiesAndContextsAreAsTheyCame) {
  // 2.5, which would be misaligned at another body position, and octets that are no valid CDR.
  const Words body{0, 0, 0, 0, 0, 0, 4, 0x40, 0xff, 0xfe, 1, 2, 3};
  const Words data{9, 8, 7};
  std::promise<Words> arrived;
  HostileServer server([&](int fd, int) {
    const Words request = receive_some(fd);
    arrived.set_value(request);
    Words id(request.begin() + 12, request.begin() + 16);
    MessageOctets reply(1);
    reply.raw(id).u32(1).u32(1).u32(some_context).sequence(data).align(8).raw(body);
    send_octets(fd, reply.finish());
    (void)receive_some(fd);
  });
  BridgeOrb bridge("iiop://127.0.0.1:0", {"-ORBServerConcurrency", GetParam()});
  const std::string outer = bridge.publish(server.url());
  RawPeer peer{Place(outer)};
  ASSERT_TRUE(
      peer.send(request(9, Place(outer).key, "operation", {{some_context, data}}, true).raw(body).finish()));
  const Words inside = arrived.get_future().get();
  ASSERT_GT(inside.size(), body.size());
  EXPECT_EQ(Words(inside.end() - static_cast<std::ptrdiff_t>(body.size()), inside.end()), body);
  EXPECT_EQ((inside.size() - body.size()) % 8, 0u);
  const Words context = MessageOctets(0).u32(some_context).sequence(data).finish();
  EXPECT_TRUE(contains(inside, {context.begin() + 12, context.end()}));
  const Words reply = peer.receive_message();
  ASSERT_GT(reply.size(), body.size());
  EXPECT_EQ(Words(reply.end() - static_cast<std::ptrdiff_t>(body.size()), reply.end()), body);
  EXPECT_EQ(reply[12], 9);  // the client's own id
  EXPECT_TRUE(contains(reply, {context.begin() + 12, context.end()}));
}

INSTANTIATE_TEST_SUITE_P(EveryArchitecture, BridgedOctets, testing::ValuesIn(server_concurrencies));

// The server that the request is forwarded to may support a later version; the body is still in the client's.
TEST(BridgeAndPeers, AForwardedRequestIsOfItsClientsVersion) {
  std::promise<int> minor;
  HostileServer last([&](int fd, int) { minor.set_value(receive_some(fd).at(5)); });
  HostileServer first([&](int fd, int) {
    const Words asked = receive_some(fd);  // in GIOP 1.0, the id follows a count of contexts
    const Words ior = octets_of_ior(last.url());
    MessageOctets reply(1);
    reply.u32(0).raw({asked.begin() + 16, asked.begin() + 20}).u32(3).raw({ior.begin() + 4, ior.end()});
    Words octets = reply.finish();
    octets[5] = 0;
    send_octets(fd, octets);
    (void)receive_some(fd);
  });
  BridgeOrb bridge("iiop://127.0.0.1:0");
  const Client client({"-ORBGIOPVersion", "1.0"});
  const auto object = client.orb->string_to_object(bridge.publish(first.url()));
  EXPECT_THROW(object->_non_existent(), CORBA::SystemException);
  EXPECT_EQ(minor.get_future().get(), 0);
}

TEST(BridgeAndPeers, KeysThatClientsMakeUpCostNothingThatStays) {
  const EchoServer server("iiop://127.0.0.1:0");
  BridgeOrb bridge("iiop://127.0.0.1:0");
  const std::string outer = bridge.publish_server(server.serve());
  RawPeer peer{Place(outer)};
  for (std::uint32_t i = 0; i < 3000; ++i) {
    Words key{'k', static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(i >> 8)};
    if (i % 500 == 0) key.resize(100'000, 'x');
    ASSERT_TRUE(peer.send(request(2 * i, key, "_is_a").finish()));
    ASSERT_EQ(exception_of(peer.receive_message()), "IDL:omg.org/CORBA/OBJECT_NOT_EXIST:1.0") << i;
  }
  const Client client;
  EXPECT_EQ(client.echo(outer)->cube(3), 27);
}

// A thread that calls keeps its last targets, so their keys must be short.
TEST(BridgeAndPeers, LongKeysThatClientsMakeUpReachNoServer) {
  std::vector<std::size_t> lengths;  // keys, as they reach the server
  HostileServer server([&](int fd, int) {
    for (;;) {
      const Words asked = receive_some(fd);
      if (asked.size() < 28) return;
      lengths.push_back(asked[24] + 256u * asked[25]);
      send_octets(fd, MessageOctets(1).raw({asked.begin() + 12, asked.begin() + 16}).u32(0).u32(0).finish());
    }
  });
  {
    BridgeOrb bridge("iiop://127.0.0.1:0");
    RawPeer peer{Place(bridge.publish_server(server.url()))};
    ASSERT_TRUE(peer.send(request(2, Words(8193, 'k'), "ping").finish()));
    EXPECT_EQ(exception_of(peer.receive_message()), "IDL:omg.org/CORBA/OBJECT_NOT_EXIST:1.0");
    ASSERT_TRUE(peer.send(request(4, Words(8192, 'k'), "ping").finish()));
    EXPECT_EQ(peer.receive_message().size(), 24u);
  }
  EXPECT_EQ(lengths, std::vector<std::size_t>{8192});
}

TEST(BridgeAndPeers, BodiesThatAreCollectedCountAgainstTheMemoryOfTheirConnection) {
  const EchoServer server("iiop://127.0.0.1:0");
  BridgeOrb bridge("iiop://127.0.0.1:0", {"-ORBConnectionMemory", "1MiB"});
  const Client client;
  const auto echo = client.echo(bridge.publish(server.serve()));
  EXPECT_THROW(echo->echo_octets(Calls::Octets(3'000'000)), CORBA::NO_MEMORY);
  EXPECT_EQ(echo->echo_octets(Calls::Octets(500'000)).size(), 500'000u);
}

TEST(BridgeAndPeers, AServerThatSpeaksNonsenseFailsItsCallersOnly) {
  HostileServer nonsense([](int fd, int) {
    (void)receive_some(fd);
    send_octets(fd, Words(64, 'x'));
  });
  const EchoServer server("iiop://127.0.0.1:0");
  BridgeOrb bridge("iiop://127.0.0.1:0");
  const Client client;
  const auto bad = client.orb->string_to_object(bridge.publish(nonsense.url()));
  const auto good = client.echo(bridge.publish(server.serve()));
  for (int i = 0; i < 3; ++i) {
    EXPECT_THROW(bad->_non_existent(), CORBA::COMM_FAILURE);
    EXPECT_EQ(good->cube(2), 8);
  }
}

}  // namespace
}  // namespace feature
