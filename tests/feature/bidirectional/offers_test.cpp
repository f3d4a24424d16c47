// Which offers a server accepts, and the messages on the wire.
#include <future>
#include <optional>

#include "../loopback_listener.h"
#include "both_ways.h"

namespace feature {
namespace {

TEST(Offers, AreOffByDefault) {
  ServerAndClient server;
  EXPECT_FALSE(calls_back(Calling(server.ior)));
}

TEST(Offers, NeedThePolicyInTheClient) {
  ServerAndClient server({"-ORBAcceptBidirectional", "any"});
  EXPECT_FALSE(calls_back(Calling(server.ior, nowhere, false)));
}

TEST(Offers, MayBeMadeForOneReference) {
  ServerAndClient server({"-ORBAcceptBidirectional", "any"});
  Calling client(server.ior, nowhere, false);
  const auto with = client.echo->_set_policy_overrides({both()}, CORBA::SetOverrideType::ADD_OVERRIDE);
  client.echo = takt::reference::make_stub<::Calls::Echo>(with->_ref());
  EXPECT_TRUE(calls_back(client));
}

void accept_for_an_adapter(ServerAndClient& server) {
  auto root = IDL::traits<PortableServer::POA>::narrow(server.server->resolve_initial_references("RootPOA"));
  root->create_POA("both", root->the_POAManager(), {both()});
}

TEST(Offers, AreNotForAServerOfOneThread) {
  ServerAndClient server({"-ORBServerConcurrency", "reactive"});
  accept_for_an_adapter(server);
  EXPECT_FALSE(calls_back(Calling(server.ior)));
}

TEST(Offers, OfAnotherAddressCountOnlyWhereAnyDo) {
  for (const bool any : {false, true}) {
    ServerAndClient server(
        {"-ORBAcceptBidirectional", any ? "any" : "same-address", "-ORBConnectTimeout", "200ms"});
    Calling client(server.ior, "iiop://192.0.2.1:4711");
    if (any)
      EXPECT_TRUE(calls_back(client));
    else
      EXPECT_THROW(client.echo->call_back(client.mine, 3), CORBA::SystemException);
    EXPECT_EQ(client.echo->cube(2), 8) << "whatever becomes of the offer";
  }
}

// A firewall may drop what is sent to the other addresses.
TEST(Offers, GoBeforeTheOtherAddressesOfTheClient) {
  const LoopbackListener silent(1'000);
  ServerAndClient server({"-ORBAcceptBidirectional", "same-address", "-ORBRoundTripTimeout", "2s"});
  const Calling client(server.ior,
                       "iiop://localhost:" + std::to_string(silent.port()) + ",iiop://127.0.0.1:1");
  EXPECT_TRUE(calls_back(client));
}

// Two clients behind address translations may name the same place, and so may two connections of one client.
TEST(Offers, OfAPlaceFallBackToAnEarlierConnectionThatIsOpen) {
  ServerAndClient server({"-ORBAcceptBidirectional", "same-address"});
  const Calling first(server.ior);
  EXPECT_TRUE(calls_back(first));
  {
    const Calling second(server.ior);
    EXPECT_TRUE(calls_back(second)) << "the latest gets the calls";
  }
  const auto calls_back_again = [&] {
    try {
      return calls_back(first);
    } catch (const CORBA::SystemException&) {  // the server has not noticed the end of the other yet
      return false;
    }
  };
  const auto until = std::chrono::steady_clock::now() + 10s;
  bool again = false;
  while (!again && std::chrono::steady_clock::now() < until) again = calls_back_again();
  EXPECT_TRUE(again);
}

TEST(Offers, AreAcceptedForTheSakeOfAnAdapter) {
  ServerAndClient server;
  accept_for_an_adapter(server);
  EXPECT_TRUE(calls_back(Calling(server.ior)));
}

TEST(Offers, AreMadeByTheNextCallIfTheFirstCannotBeSent) {
  ServerAndClient server({"-ORBAcceptBidirectional", "any"});
  const Calling client(server.ior);
  std::string between, out;
  EXPECT_THROW(client.echo->join(std::string("a\0b", 3), between, out), CORBA::SystemException);
  EXPECT_TRUE(calls_back(client));
}

TEST(Offers, ThePolicyHasTwoValues) {
  ServerAndClient server;
  CORBA::Any value;
  value <<= std::uint16_t{1};
  const auto policy = server.server->create_policy(BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE, value);
  EXPECT_EQ(policy->policy_type(), 37u);
  value <<= std::uint16_t{2};
  EXPECT_THROW(server.server->create_policy(BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE, value),
               CORBA::PolicyError);
}

// A raw client: offers its connection and answers requests that come over it.
TEST(Offers, TheServersRequestsHaveOddIds) {
  ServerAndClient server({"-ORBAcceptBidirectional", "same-address"});
  const Place place(server.ior);
  RawPeer peer(place.port);
  ASSERT_TRUE(peer.send(
      request(2, place.key, "cube", {{5, listen_points({{"127.0.0.1", 4711}})}}, true).raw({3}).finish()));
  EXPECT_EQ(type_of(peer.receive_message()), reply_type);
  const auto there = server.server->string_to_object("corbaloc:iiop:1.2@127.0.0.1:4711/there");
  const auto echo = takt::reference::make_stub<::Calls::Echo>(there->_ref());
  for (std::uint32_t expected : {1u, 3u, 5u}) {
    auto call = std::async(std::launch::async, [&] { return echo->cube(3); });
    const Octets message = peer.receive_message();
    ASSERT_EQ(type_of(message), 0);
    std::uint32_t id;
    std::memcpy(&id, &message[12], 4);
    EXPECT_EQ(id, expected);
    ASSERT_TRUE(peer.send(MessageOctets(1).u32(id).u32(0).u32(0).raw({27}).finish()));
    EXPECT_EQ(call.get(), 27);
  }
}

// The ids of the service contexts of a request in GIOP 1.2 and native byte order.
std::vector<std::uint32_t> contexts_of(const Octets& request) {
  std::size_t at = 24;
  const auto u32 = [&] {
    at = (at + 3) / 4 * 4;
    std::uint32_t number = 0;
    if (at + 4 <= request.size()) std::memcpy(&number, &request[at], 4);
    at += 4;
    return number;
  };
  for (int key_and_operation = 0; key_and_operation < 2; ++key_and_operation) {
    const std::uint32_t size = u32();
    at += size;
  }
  std::vector<std::uint32_t> ids;
  for (std::uint32_t count = u32(); count > 0 && at < request.size(); --count) {
    ids.push_back(u32());
    const std::uint32_t size = u32();
    at += size;
  }
  return ids;
}

// A raw server, whose address a server of Takt publishes as its own. It has the connection of the first
// caller.
class RawServer {
 public:
  RawServer()
      : named({"-ORBPublishedEndpoints", "iiop://127.0.0.1:" + std::to_string(listener_.port())}),
        ior(named.ior) {}
  ~RawServer() {
    if (caller_ >= 0) ::close(caller_);
  }
  RawServer(const RawServer&) = delete;
  RawServer& operator=(const RawServer&) = delete;

  Octets receive_message() {
    if (caller_ < 0) caller_ = ::accept(listener_.fd(), nullptr, nullptr);
    Octets message(12);
    if (::recv(caller_, message.data(), 12, MSG_WAITALL) != 12) return {};
    std::uint32_t rest;
    std::memcpy(&rest, &message[8], 4);
    message.resize(12 + rest);
    if (::recv(caller_, &message[12], rest, MSG_WAITALL) != static_cast<ssize_t>(rest)) return {};
    return message;
  }
  void send(const Octets& message) { ::send(caller_, message.data(), message.size(), MSG_NOSIGNAL); }

 private:
  const LoopbackListener listener_{1};
  const ServerAndClient named;
  int caller_ = -1;

 public:
  const std::string ior;
};

void call_and_fail(const Calling& client) { EXPECT_THROW(client.echo->cube(3), CORBA::SystemException); }

// A server of TAO handles only the first context that it knows, and would not see an offer behind others.
TEST(Offers, StandBeforeTheCodeSets) {
  std::future<void> call;
  std::optional<Calling> client;
  Octets first;
  {
    RawServer server;
    client.emplace(server.ior);
    call = std::async(std::launch::async, [&] { call_and_fail(*client); });
    first = server.receive_message();
  }
  call.wait();
  const std::vector<std::uint32_t> expected{5, 1};
  EXPECT_EQ(contexts_of(first), expected);
}

class Hearing final : public EchoServant {
 public:
  std::string join(const std::string& a, std::string& b, std::string& c) override {
    heard = a;
    return EchoServant::join(a, b, c);
  }
  std::string heard;
};

// omniORB's servers send no context of code sets with their requests.
TEST(Offers, TheServersRequestsHaveTheCodeSetsThatTheClientHasChosen) {
  std::optional<Calling> client;
  std::future<void> call;
  const auto hearing = CORBA::make_reference<Hearing>();
  {
    RawServer server;
    client.emplace(server.ior);
    auto poa = IDL::traits<PortableServer::POA>::narrow(client->orb->resolve_initial_references("RootPOA"));
    const auto object = poa->id_to_reference(poa->activate_object(hearing));
    const Place place(client->orb->object_to_string(object));
    call = std::async(std::launch::async, [&] { call_and_fail(*client); });
    server.receive_message();
    server.send(request(1, place.key, "join", {}, true).text("M\xc3\xbcll").text("b").finish());
    EXPECT_EQ(type_of(server.receive_message()), reply_type);
    server.send(request(3, place.key, "sum", {}, true).u32(0).sequence({0x20, 0xac}).finish());
    const Octets sum = server.receive_message();
    ASSERT_GT(sum.size(), 20u);
    EXPECT_EQ(sum[16], 0) << "no exception: wide characters were negotiated";
  }
  call.wait();
  EXPECT_EQ(hearing->heard, "M\xc3\xbcll");
}

TEST(Offers, ThatMakeNoSenseAreIgnored) {
  ServerAndClient server({"-ORBAcceptBidirectional", "any"});
  const Place place(server.ior);
  const Octets senseless[] = {{},
                              {1},
                              {7, 0, 0, 0, 0, 0, 0, 0},
                              {1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff},
                              listen_points({{"", 4711}}),
                              listen_points({{"127.0.0.1", 0}}),
                              listen_points({{std::string(300, 'a'), 4711}})};
  RawPeer peer(place.port);
  std::uint32_t id = 0;
  for (const Octets& data : senseless) {
    ASSERT_TRUE(peer.send(request(id += 2, place.key, "cube", {{5, data}}, true).raw({3}).finish()));
    EXPECT_EQ(type_of(peer.receive_message()), reply_type);
  }
}

// A peer that blocks the other direction delays its caller, and nothing else.
TEST(Offers, AClientThatDoesNotAnswerCostsATimeout) {
  ServerAndClient server({"-ORBAcceptBidirectional", "same-address", "-ORBRoundTripTimeout", "300ms"});
  const Place place(server.ior);
  RawPeer peer(place.port);
  ASSERT_TRUE(peer.send(
      request(2, place.key, "cube", {{5, listen_points({{"127.0.0.1", 4711}})}}, true).raw({3}).finish()));
  EXPECT_EQ(type_of(peer.receive_message()), reply_type);
  const auto there = server.server->string_to_object("corbaloc:iiop:1.2@127.0.0.1:4711/there");
  const auto echo = takt::reference::make_stub<::Calls::Echo>(there->_ref());
  EXPECT_THROW(echo->cube(3), CORBA::TIMEOUT);
  ASSERT_TRUE(peer.send(request(4, place.key, "cube", {}, true).raw({3}).finish()));
  EXPECT_EQ(type_of(peer.receive_message()), 0) << "the call";
  EXPECT_EQ(type_of(peer.receive_message()), reply_type);
}

}  // namespace
}  // namespace feature
