// A plug-in's messaging protocol: over each transport, in each architecture, by policy, and with peers that
// violate it. The plug-in is the example, which numbers messages and checks their checksums.
#include <fstream>
#include <iterator>

#include "../hostile/raw_peer.h"
#include "certificates.h"
#include "served.h"

namespace feature {
namespace {

using Options = std::vector<std::string>;

constexpr std::uint32_t checked_tag = 0x54414b7e;

Options with(Options some, const Options& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}
const Options checked{"-ORBPlugin", CHECKED_PLUGIN};

class MessagingOver : public testing::TestWithParam<const char*> {};

TEST_P(MessagingOver, CarriesCallsInEachArchitecture) {
  for (const char* concurrency : server_concurrencies)
    for (const char* mux : {"exclusive", "cached", "multiplexed", "multiplexed-active"}) {
      const Served served(GetParam(), with(checked, {"-ORBServerConcurrency", concurrency}),
                          with(checked, {"-ORBClientConnections", mux}));
      expect_calls_of_all_lengths(served.echo_in(served.root), std::string(concurrency) + " " + mux);
    }
}

TEST_P(MessagingOver, CarriesShortHeadsCompressionAndFragments) {
  for (const Options& more : {Options{"-ORBMessaging", "giop-lite", "-ORBCompression", "on"},
                              Options{"-ORBFragmentSize", "1KiB"}, Options{"-ORBGIOPVersion", "1.0"}}) {
    const Served served(GetParam(), with(checked, more), with(checked, more));
    const auto echo = served.echo_in(served.root);
    const Calls::Octets octets(50'000, 7);
    for (int call = 0; call < 5; ++call) EXPECT_EQ(echo->echo_octets(octets), octets) << more.back();
  }
}

std::string carrier_of(const testing::TestParamInfo<const char*>& given) {
  std::string endpoint = std::string(given.param).substr(std::string("checked:").size());
  endpoint = endpoint.substr(0, endpoint.find(':')) + (endpoint.find('[') == endpoint.npos ? "" : "_v6");
  return endpoint;
}
INSTANTIATE_TEST_SUITE_P(Over, MessagingOver,
                         testing::Values("checked:iiop://127.0.0.1:0", "checked:iiop://[::1]:0",
                                         "checked:unix:", "checked:udp://127.0.0.1:0"),
                         carrier_of);

TEST(MessagingProtocol, GoesOverTls) {
  const takt::test::Authority authority;
  const auto server = authority.issue({.name = "server"}), client = authority.issue({.name = "client"});
  const auto show = [&](const takt::test::Credentials& own) {
    return with(checked, {"-ORBTLSCertificate", own.certificate_file, "-ORBTLSKey", own.key_file,
                          "-ORBTLSAuthorities", authority.file()});
  };
  const Served served("checked:ssliop://127.0.0.1:0",
                      with(show(server), {"-ORBTLSClientCertificates", "required"}), show(client));
  std::string subject;
  const auto echo = served.echo_in(served.root, [&] { subject = takt::present_peer_certificate()->subject; });
  const Calls::Octets octets(200'000, 7);
  EXPECT_EQ(echo->echo_octets(octets), octets);
  echo->nothing();
  EXPECT_NE(subject.find("client"), std::string::npos) << subject;
}

// With a wildcard, and over a transport of a plug-in, which traces the messages.
TEST(MessagingProtocol, GoesOverATransportOfAnotherPlugin) {
  const Folder folder;
  const auto plugins = [&](const std::string& trace) {
    return Options{"-ORBPlugin", std::string(TRACED_PLUGIN) + ":" + folder / trace, "-ORBPlugin",
                   CHECKED_PLUGIN};
  };
  const Served served("checked:traced://:0", plugins("server"), plugins("client"));
  EXPECT_EQ(served.echo_in(served.root)->cube(3), 27);
  std::ifstream file(folder / "client");
  const std::string trace(std::istreambuf_iterator<char>(file), {});
  const auto at = trace.find("1 -> ");
  ASSERT_NE(at, std::string::npos) << trace;
  const std::string first = trace.substr(trace.find(": ", at) + 2, 16);
  EXPECT_TRUE(first.starts_with("0000") && first.ends_with("00000000")) << "a size, number 0: " << first;
}

TEST(MessagingProtocol, IsChosenByPolicy) {
  const Served served("iiop://127.0.0.1:0,checked://127.0.0.1:0,checked:unix:", checked, checked);
  const auto rt = rt_of(served.client);
  const std::string ior = served.ior_in(served.root);
  const auto by = [&](std::uint32_t protocol) {
    return IDL::traits<Calls::Echo>::narrow(served.client->string_to_object(ior)->_set_policy_overrides(
        {rt->create_client_protocol_policy({RTCORBA::Protocol(protocol)})},
        CORBA::SetOverrideType::ADD_OVERRIDE));
  };
  EXPECT_EQ(by(takt::TCP_PROTOCOL_TYPE)->cube(2), 8);
  EXPECT_EQ(by(checked_tag)->cube(3), 27);
  EXPECT_THROW(by(takt::UNIX_PROTOCOL_TYPE)->cube(2), CORBA::INV_POLICY);

  const auto apart = served.make_poa(
      {rt_of(served.server)->create_server_protocol_policy({RTCORBA::Protocol(checked_tag)})});
  const Orb without = make_orb({}, "without");
  EXPECT_THROW(IDL::traits<Calls::Echo>::narrow(without->string_to_object(served.ior_in(apart)))->cube(2),
               CORBA::SystemException)
      << "its references say nothing else";
  EXPECT_EQ(served.echo_in(apart)->cube(2), 8);
  EXPECT_EQ(IDL::traits<Calls::Echo>::narrow(without->string_to_object(ior))->cube(2), 8)
      << "who does not have it goes on with what else there is";
  without->destroy();
}

std::string refusal_of(const std::string& endpoint) {
  try {
    make_orb(with(checked, {"-ORBListenEndpoints", endpoint}), "refused")->destroy();
  } catch (const CORBA::BAD_PARAM& refused) {
    return std::string(refused.detail());
  }
  return "none";
}

TEST(MessagingProtocol, SaysWhatItDoesNotGoOver) {
  const auto expect = [](const std::string& endpoint, const std::string& why) {
    EXPECT_NE(refusal_of(endpoint).find(why), std::string::npos) << endpoint << ": " << refusal_of(endpoint);
  };
  expect("checked:shm:",
         "write checked://HOST:PORT, or checked: and another transport's endpoint "
         "('shm' is for one machine alone)");
  expect("checked:checked:iiop://:0", "'checked' is a messaging protocol, too");
  expect("checked:tcp://:0", "'tcp' is not a transport of this ORB");
  expect("checked://:x", "write iiop://");
  expect("checked:iiop", "it names no transport");
  expect("checked:iiop://:x", "write iiop://");
}

// The example's format, implemented independently: computes the checksum bit by bit.
Octets coded(std::uint32_t number, const Octets& message) {
  const auto put = [](Octets& to, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) to.push_back(static_cast<std::uint8_t>(value >> shift));
  };
  Octets summed;
  put(summed, number);
  summed.insert(summed.end(), message.begin(), message.end());
  std::uint32_t crc = UINT32_MAX;
  for (const std::uint8_t octet : summed)
    for (int bit = 0; bit < 8; ++bit)
      crc = crc >> 1 ^ (((crc ^ std::uint32_t{octet} >> bit) & 1) != 0 ? 0x82f63b78 : 0);
  Octets wire;
  put(wire, static_cast<std::uint32_t>(message.size()));
  put(wire, number);
  put(wire, ~crc);
  wire.insert(wire.end(), message.begin(), message.end());
  return wire;
}

class HostileMessaging : public testing::TestWithParam<const char*> {
 protected:
  explicit HostileMessaging(const Options& more = {})
      : served("checked:iiop://127.0.0.1:0", with(with(checked, {"-ORBServerConcurrency", GetParam()}), more),
               checked),
        other(served.echo_in(served.root)) {
    const std::string text = served.server->_published_endpoints().front();
    port = static_cast<std::uint16_t>(std::stoi(text.substr(text.rfind(':') + 1)));
  }
  ~HostileMessaging() override { EXPECT_EQ(other->cube(3), 27) << "others notice nothing"; }

  // A LocateRequest for an object that does not exist.
  static Octets locate(std::uint32_t id) {
    return MessageOctets(3).u32(id).raw({0, 0, 0, 0}).sequence({1, 2, 3}).finish();
  }
  static Octets answered(RawPeer& peer) {
    const Octets head = peer.receive(12);
    return head.size() < 12 ? Octets() : peer.receive_message();
  }
  // Opens a connection and has one request answered.
  void begin(RawPeer& peer) {
    ASSERT_TRUE(peer.send(coded(0, locate(1))));
    const Octets reply = answered(peer);
    ASSERT_EQ(type_of(reply), 4);
    ASSERT_EQ(reply[12], 1);
  }

  const Served served;
  const EchoRef other;
  std::uint16_t port;
};

TEST_P(HostileMessaging, AnswersWhoKeepsToIt) {
  RawPeer peer(port);
  begin(peer);
  Octets two = coded(1, locate(2));
  const Octets third = coded(2, locate(3));
  two.insert(two.end(), third.begin(), third.end());
  for (const std::uint8_t octet : two) ASSERT_TRUE(peer.send({octet}));
  EXPECT_EQ(answered(peer)[12], 2);
  EXPECT_EQ(answered(peer)[12], 3);
}

TEST_P(HostileMessaging, EndsWithAMessageThatComesAgain) {
  RawPeer peer(port);
  begin(peer);
  ASSERT_TRUE(peer.send(coded(0, locate(1))));
  EXPECT_TRUE(peer.closes_within(10s));
}

TEST_P(HostileMessaging, EndsWithAMessageThatWasChanged) {
  RawPeer peer(port);
  begin(peer);
  Octets message = coded(1, locate(2));
  message.back() ^= 4;
  ASSERT_TRUE(peer.send(message));
  EXPECT_TRUE(peer.closes_within(10s));
}

TEST_P(HostileMessaging, EndsWithAMessageOfTheOrbs) {
  RawPeer peer(port);
  ASSERT_TRUE(peer.send(locate(1)));
  EXPECT_TRUE(peer.closes_within(10s));
}

TEST_P(HostileMessaging, EndsWithAClaimOfMoreThanTheLimit) {
  RawPeer peer(port);
  ASSERT_TRUE(peer.send({0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_TRUE(peer.closes_within(10s));
}

// The message inside is checked like any other.
TEST_P(HostileMessaging, EndsWithWhatIsNoMessageInside) {
  RawPeer peer(port);
  begin(peer);
  ASSERT_TRUE(peer.send(coded(1, Octets(40, 'x'))));
  EXPECT_TRUE(peer.closes_within(10s));
}

class SilentMessaging : public HostileMessaging {
 protected:
  SilentMessaging() : HostileMessaging({"-ORBMessageTimeout", "300ms", "-ORBIdleTimeout", "0"}) {}
};

TEST_P(SilentMessaging, EndsInTheMiddleOfAMessage) {
  RawPeer peer(port);
  begin(peer);
  const Octets message = coded(1, locate(2));
  ASSERT_TRUE(peer.send({message.begin(), message.begin() + 20}));
  EXPECT_TRUE(peer.closes_within(10s));
}

std::string architecture_of(const testing::TestParamInfo<const char*>& one) {
  std::string name = one.param;
  std::ranges::replace(name, '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(In, HostileMessaging, testing::ValuesIn(server_concurrencies), architecture_of);
INSTANTIATE_TEST_SUITE_P(In, SilentMessaging, testing::ValuesIn(server_concurrencies), architecture_of);

}  // namespace
}  // namespace feature
