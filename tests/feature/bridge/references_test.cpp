// References in arguments and results lead through the bridge, but only to permitted addresses.
#include <atomic>
#include <cstdio>

#include "../calls/hostile_server.h"
#include "../folder.h"
#include "gateway.h"

namespace feature {
namespace {

class References : public testing::TestWithParam<const char*> {
 protected:
  const Options version{"-ORBGIOPVersion", GetParam()};
  const Serving server{loopback, version};
  GatewayOrb gateway;
  const Outside outside{gateway.publish(server.directory())};
};

void expect_all_ways(const Outside& outside, const GatewayOrb& gateway) {
  const DirectoryRef& directory = outside.directory;
  const auto through = [&](const ThingRef& it, std::int32_t number) {
    ASSERT_TRUE(it);
    EXPECT_TRUE(outside.leads_through(gateway, it));
    EXPECT_EQ(it->number(), number);
  };
  const ThingRef one = directory->make(1);
  through(one, 1);
  EXPECT_FALSE(directory->favourite());  // nil stays nil
  directory->favourite(one);
  through(directory->favourite(), 1);
  EXPECT_TRUE(directory->favourite()->_is_equivalent(one));

  Gateway::Things others{directory->make(2), ThingRef{}};
  double weight = 0;
  const Named named = directory->describe(one, others, weight);
  EXPECT_EQ(weight, 2.5);
  EXPECT_EQ(named.weight(), 0.25);
  EXPECT_EQ(named.name(), "it");
  through(named.it(), 1);
  ASSERT_EQ(others.size(), 3u);
  through(others[0], 2);
  EXPECT_FALSE(others[1]);
  through(others[2], 1);

  const auto all = directory->list(5);
  ASSERT_EQ(all.size(), 5u);
  for (std::uint32_t i = 0; i < 5; ++i) {
    EXPECT_EQ(all[i].name(), std::string(i, 'n'));
    EXPECT_EQ(all[i].weight(), i / 4.0);
    through(all[i].it(), static_cast<std::int32_t>(i));
  }
  through(directory->find(3).it(), 3);
  EXPECT_EQ(directory->find(0).why_not(), "none");
  try {
    directory->chase(4);
    ADD_FAILURE() << "nothing was raised";
  } catch (const Gateway::Moved& moved) {
    EXPECT_EQ(moved.why(), "away");
    through(moved.it(), 4);
  }
  EXPECT_EQ(directory->ask(one), 1);  // the server gets its own object
  EXPECT_EQ(directory->unrelated("\xc3\xa4"), "\xc3\xa4");
}

TEST_P(References, LeadThroughTheGatewayWhereverTheyAre) {
  expect_all_ways(outside, gateway);
  EXPECT_EQ(gateway.bridge.counts().failures, 0u);
  EXPECT_EQ(gateway.bridge.counts().references_kept, 0u);
  EXPECT_EQ(gateway.bridge.counts().unread_bodies, 0u);
}

TEST_P(References, InAnys) {
  CORBA::Any any;
  any <<= outside.directory->make(5);
  Named named;
  ASSERT_TRUE(outside.directory->boxed(any) >>= named);
  EXPECT_TRUE(outside.leads_through(gateway, named.it()));
  EXPECT_EQ(named.it()->number(), 5);
  std::string text;
  EXPECT_TRUE(outside.directory->boxed(CORBA::Any()) >>= text);
}

INSTANTIATE_TEST_SUITE_P(EveryVersionOfGiop, References, testing::Values("1.0", "1.1", "1.2"));

TEST(ReferencesOfABridge, AreRewrittenInValues) {
  const Serving server(loopback);
  GatewayOrb gateway;
  const Outside outside(gateway.publish(server.directory()));
  auto node = outside.directory->chain(3);
  for (std::int32_t i = 1; i <= 3; ++i, node = node->next()) {
    ASSERT_TRUE(node);
    EXPECT_TRUE(outside.leads_through(gateway, node->it()));
    EXPECT_EQ(node->it()->number(), i);
  }
  EXPECT_FALSE(node);
}

// The bridge can reassemble fragmented bodies of known operations.
TEST(ReferencesOfABridge, FragmentsOfGiop11PassWhereTheIdlIsKnown) {
  const Options fragments{"-ORBGIOPVersion", "1.1", "-ORBFragmentSize", "256"};
  const Serving server(loopback, fragments);
  GatewayOrb gateway;
  const Outside outside(gateway.publish(server.directory()), fragments);
  expect_all_ways(outside, gateway);
  const std::string text(1000, 'x');
  EXPECT_EQ(outside.directory->unrelated(text), text);
}

TEST(ReferencesOfABridge, WithoutIdlPassAsTheyAre) {
  const Serving server(loopback);
  GatewayOrb gateway({}, {}, {}, {});
  const Outside outside(gateway.publish(server.directory()));
  const ThingRef it = outside.directory->make(1);
  EXPECT_EQ(Outside::place_of(outside.client.orb->object_to_string(it)), address_of(server));
  EXPECT_THROW(GatewayOrb({loopback}, {}, {}, {}), CORBA::BAD_PARAM);
  EXPECT_THROW(GatewayOrb({"iiop://host:port"}), CORBA::BAD_PARAM);
}

// Bodies of operations that the IDL lacks, or that do not match it, pass unchanged.
TEST(ReferencesOfABridge, OfUnknownOperationsPassAsTheyAreAndAreCounted) {
  const Serving server(loopback);
  auto types = directory_types();
  std::erase_if(types, [](const auto& one) { return one.name == "make"; });
  for (auto& one : types)
    if (one.name == "find") one.results = {takt::cdr::make_named(CORBA::TCKind::tk_objref, "IDL:x:1.0", "x")};
  GatewayOrb gateway({}, {}, {}, types);
  const Outside outside(gateway.publish(server.directory()));
  EXPECT_EQ(outside.directory->make(1)->number(), 1);
  EXPECT_EQ(gateway.bridge.counts().unread_bodies, 2u);
  EXPECT_EQ(outside.directory->find(2).it()->number(), 2);
  EXPECT_EQ(gateway.bridge.counts().unread_bodies, 3u);
  EXPECT_EQ(gateway.bridge.counts().references, 0u);
}

TEST(ReferencesOfABridge, ToOtherServersNeedTheirPlacesToBeInside) {
  const Serving server(loopback), other(loopback);
  const std::string reference = other.orb->object_to_string(other.thing(9));
  for (const bool listed : {false, true}) {
    GatewayOrb gateway(listed ? std::vector<std::string>{"iiop://" + address_of(other)}
                              : std::vector<std::string>{});
    const Outside outside(gateway.publish(server.directory()));
    const auto it = IDL::traits<Thing>::narrow(outside.directory->from_text(reference));
    EXPECT_EQ(outside.leads_through(gateway, it), listed);
    EXPECT_EQ(it->number(), 9);
    EXPECT_EQ(gateway.bridge.counts().references_kept, listed ? 0u : 1u);
  }
}

// A server calls the client's object through the bridge, and returns the client's own object.
TEST(ReferencesOfABridge, OfClientsLeadThroughItTheOtherWay) {
  const Serving server(loopback), client(loopback);
  GatewayOrb gateway({}, {"iiop://" + address_of(client)});
  const std::string reference = gateway.publish(server.directory());
  const auto directory = IDL::traits<Directory>::narrow(client.orb->string_to_object(reference));
  const ThingRef own = client.thing(11);
  EXPECT_EQ(Outside::place_of(directory->text_of(own)), address_of(gateway));
  const auto requests = gateway.bridge.counts().requests;
  EXPECT_EQ(directory->ask(own), 11);
  EXPECT_EQ(gateway.bridge.counts().requests, requests + 2);
  directory->favourite(own);
  EXPECT_TRUE(directory->favourite()->_is_equivalent(own));
  EXPECT_EQ(client.orb->object_to_string(directory->favourite()), client.orb->object_to_string(own));
}

// Whether a client gets the reference from the bridge or from the server.
TEST(ReferencesOfABridge, OfWhatIsPublishedAreTheSameAsThoseOfTheBridge) {
  const Serving server(loopback);
  const std::string directory = server.directory();
  for (const bool whole : {false, true}) {
    GatewayOrb gateway;
    const auto inner = gateway.orb->string_to_object(directory);
    const Outside outside(gateway.orb->object_to_string(whole ? gateway.bridge.publish_server(inner)
                                                              : gateway.bridge.publish(inner, "Directory")));
    const auto again = outside.directory->from_text(directory);
    EXPECT_TRUE(again->_is_equivalent(outside.directory));
    EXPECT_TRUE(again->_is_a("IDL:Gateway/Directory:1.0"));
  }
}

// The client publishes an address at which nothing listens, so that its own connection to the bridge is the
// only way.
TEST(ReferencesOfABridge, OfClientsThatNobodyReachesAreCalledOverTheirConnections) {
  const Options nowhere{"-ORBPublishedEndpoints", "iiop://127.0.0.1:1", "-ORBBidirectionalPolicy", "both"};
  const Serving server(loopback), client(loopback, nowhere);
  GatewayOrb gateway({}, {"iiop://127.0.0.1:1"}, {"-ORBAcceptBidirectional", "same-address"});
  const std::string reference = gateway.publish(server.directory());
  const auto directory = IDL::traits<Directory>::narrow(client.orb->string_to_object(reference));
  for (std::int32_t number = 0; number < 3; ++number) EXPECT_EQ(directory->ask(client.thing(number)), number);
}

// Clients may get any references back from the server, but the bridge connects only to the configured
// addresses.
TEST(ReferencesOfABridge, MakeItNoOpenProxy) {
  const Serving server(loopback), victim(loopback);
  const Serving client(loopback);
  GatewayOrb gateway({}, {"iiop://" + address_of(client)});
  const Outside outside(gateway.publish(server.directory()));
  const std::string inner = victim.orb->object_to_string(victim.thing(1));
  const auto it = IDL::traits<Thing>::narrow(outside.directory->from_text(inner));
  EXPECT_FALSE(outside.leads_through(gateway, it));
  EXPECT_EQ(Outside::place_of(outside.directory->text_of(victim.thing(2))), address_of(victim));
  EXPECT_EQ(gateway.bridge.counts().references, 0u);
}

// A reference with a listed and an unlisted address uses only the listed one.
TEST(ReferencesOfABridge, AreCalledAtListedPlacesOnly) {
  std::atomic<int> connected{0};
  const HostileServer victim([&](int, int) { ++connected; });
  const Serving server(loopback);
  GatewayOrb gateway;
  const Outside outside(gateway.publish(server.directory()));
  const std::string first = victim.url().substr(0, victim.url().find('/'));
  const auto mixed = outside.directory->from_text(first + ",iiop:1.2@" + address_of(server) + "/nothing");
  EXPECT_TRUE(outside.leads_through(gateway, mixed));
  EXPECT_TRUE(mixed->_non_existent());  // answered by the server inside
  EXPECT_EQ(connected, 0);
}

TEST(ReferencesOfABridge, ThatSomebodyMadeUpLeadNowhere) {
  const Serving server(loopback);
  GatewayOrb gateway;
  const Outside outside(gateway.publish(server.directory()));
  const auto it = outside.directory->make(1);
  const Place place(outside.client.orb->object_to_string(it));
  RawPeer peer{place};
  for (std::size_t i = 0; i < place.key.size(); i += 7) {
    auto key = place.key;
    key[i] ^= 1;
    ASSERT_TRUE(peer.send(request(2, key, "_non_existent").finish()));
    EXPECT_EQ(exception_of(peer.receive_message()), "IDL:omg.org/CORBA/OBJECT_NOT_EXIST:1.0") << i;
  }
  GatewayOrb other;  // has another secret
  RawPeer stranger{Place(other.publish(server.directory()))};
  ASSERT_TRUE(stranger.send(request(2, place.key, "_non_existent").finish()));
  EXPECT_EQ(exception_of(stranger.receive_message()), "IDL:omg.org/CORBA/OBJECT_NOT_EXIST:1.0");
}

// Memory that suffices to collect a body, but not to encode it again.
TEST(ReferencesOfABridge, CountAgainstTheMemoryOfTheirConnection) {
  const Serving server(loopback);
  GatewayOrb gateway({}, {}, {"-ORBConnectionMemory", "5632KiB"});
  const Outside outside(gateway.publish(server.directory()));
  CORBA::Any octets;
  octets <<= Gateway::Octets(3 << 20);
  EXPECT_THROW(outside.directory->boxed(octets), CORBA::NO_MEMORY);
  octets <<= Gateway::Octets(1 << 20);
  outside.directory->boxed(octets);
}

TEST(ReferencesOfABridge, DoNotPassAsTheyAreForLackOfMemory) {
  const Serving server(loopback);
  GatewayOrb gateway({}, {}, {"-ORBClientMemory", "2MiB"});
  const Outside outside(gateway.publish(server.directory()));
  EXPECT_THROW(outside.directory->list(1400), CORBA::NO_MEMORY);
  EXPECT_EQ(outside.directory->list(100).size(), 100u);
}

// The head of the reply arrives first, so the bridge knows only the length of the rest.
TEST(ReferencesOfABridge, PassInLongExceptionsThatArriveInPieces) {
  const std::string why(40'000, 'y');
  for (const std::size_t first : {0, 4, 25, 30, 20'000}) {  // octets of the body that arrive with the head
    const HostileServer server([&](int fd, int) {
      const Octets asked = receive_some(fd);
      MessageOctets reply(1);
      reply.raw({asked.begin() + 12, asked.begin() + 16}).u32(1).u32(0).align(8);
      const std::size_t head = reply.finish().size();
      reply.text("IDL:Gateway/Moved:1.0").text(why).text("").u32(0);
      const Octets all = reply.finish();
      const auto cut = all.begin() + static_cast<std::ptrdiff_t>(head + first);
      send_octets(fd, {all.begin(), cut});
      std::this_thread::sleep_for(50ms);
      send_octets(fd, {cut, all.end()});
      (void)receive_some(fd);
    });
    GatewayOrb gateway;
    const Client client;
    const auto directory =
        IDL::traits<Directory>::unchecked_narrow(client.orb->string_to_object(gateway.publish(server.url())));
    try {
      directory->chase(1);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Gateway::Moved& moved) {
      EXPECT_EQ(moved.why(), why);
    } catch (const CORBA::SystemException& failure) {
      ADD_FAILURE() << first << ": " << failure.what();
    }
  }
}

// The client chooses what its object forwards to, so that must be restricted too.
TEST(ReferencesOfABridge, AreForwardedToListedPlacesOnly) {
  std::atomic<int> connected{0};
  const HostileServer victim([&](int, int) { ++connected; });
  const Serving server(loopback);
  const std::string away = server.orb->object_to_string(server.orb->string_to_object(victim.url()));
  const HostileServer client([&](int fd, int) {
    const Octets asked = receive_some(fd);
    Octets ior;
    for (std::size_t i = 4; i + 1 < away.size(); i += 2)
      ior.push_back(static_cast<std::uint8_t>(std::stoi(away.substr(i, 2), nullptr, 16)));
    MessageOctets reply(1);
    reply.raw({asked.begin() + 12, asked.begin() + 16}).u32(3).u32(0).align(8);
    reply.raw({ior.begin() + 4, ior.end()});  // has the same indices, after an order that is the same too
    send_octets(fd, reply.finish());
    (void)receive_some(fd);
  });
  const std::string place = client.url().substr(client.url().find('@') + 1);
  GatewayOrb gateway({}, {"iiop://" + place.substr(0, place.find('/'))});
  const Outside outside(gateway.publish(server.directory()));
  const auto own = IDL::traits<Thing>::unchecked_narrow(outside.client.orb->string_to_object(client.url()));
  EXPECT_THROW(outside.directory->ask(own), CORBA::SystemException);
  EXPECT_EQ(connected, 0);
  EXPECT_EQ(gateway.bridge.counts().failures, 1u);
}

TEST(ReferencesOfABridge, ShowNothingOfTheInside) {
  const Folder folder;
  const Serving server("unix:" + folder / "socket");
  GatewayOrb gateway;
  const Outside outside(gateway.publish(server.directory()));
  const Place place(outside.client.orb->object_to_string(outside.directory->make(1)));
  const std::string key(place.key.begin(), place.key.end());
  EXPECT_EQ(key.find("socket"), std::string::npos);
  EXPECT_EQ(key.find("Gateway"), std::string::npos);
}

TEST(ReferencesOfABridge, LastAsLongAsItsSecret) {
  const Folder folder;
  const std::string secret = folder / "secret";
  std::FILE* const file = std::fopen(secret.c_str(), "w");
  ASSERT_TRUE(file);
  std::fputs("0123456789abcdef", file);
  std::fclose(file);
  std::filesystem::permissions(secret, std::filesystem::perms(0600));
  const Serving server(loopback);
  const std::string directory = server.directory();
  std::string reference;
  std::string place;
  const auto options = [&](bool lasting) {
    return lasting ? Options{"-ORBKeyMAC", "siphash", "-ORBKeySecretFile", secret} : Options{};
  };
  {
    GatewayOrb gateway({}, {}, options(true));
    const Outside outside(gateway.publish(directory, "Directory"));
    reference = outside.client.orb->object_to_string(outside.directory->make(6));
    place = address_of(gateway);
  }
  for (const bool lasting : {true, false}) {
    Running again("iiop://" + place, options(lasting), "gateway");
    auto bridge = takt::Bridge::over(again.orb, {directory_types(), {}, {}});
    again.run();
    bridge.publish(again.orb->string_to_object(directory), "Directory");
    const Client client;
    const auto it = IDL::traits<Thing>::unchecked_narrow(client.orb->string_to_object(reference));
    if (lasting)
      EXPECT_EQ(it->number(), 6);
    else
      EXPECT_THROW(it->number(), CORBA::OBJECT_NOT_EXIST);
  }
}

}  // namespace
}  // namespace feature
