// Servers that are reached over UDP through lossy networks.
#include <algorithm>

#include <takt/cdr/codec.h>
#include "../../conformance/transport/lossy_relay.h"

#include "giop/header/message_header.h"
#include "giop/message/request.h"
#include "giop/references/profile.h"
#include "os/poll/wait.h"
#include "reference/text/stringified_ior.h"
#include "served.h"
#include "server/output/graceful_close.h"
#include "transport/udp/datagram.h"
#include "transport/udp/udp_transport.h"

namespace feature {
namespace {

using takt::test::LossyRelay;
using namespace std::chrono_literals;

constexpr takt::giop::ProfileLayout udp_form{takt::giop::udp_profile, true};

// A server behind a lossy network.
class Behind {
 public:
  explicit Behind(LossyRelay::Odds odds, std::vector<std::string> server_options = {},
                  std::vector<std::string> client_options = {})
      : served("udp://127.0.0.1:0", std::move(server_options), std::move(client_options)),
        ior_(takt::reference::ior_from_text(served.ior_in(served.root, [this] { ++runs; })).value()) {
    auto profile = takt::giop::read_profile(ior_.profiles.at(0), udp_form).value();
    relay.emplace(profile.port, odds);
    profile.port = relay->port();
    ior_.profiles[0] = takt::giop::write_profile(profile, udp_form);
  }
  ~Behind() { relay->set_odds({}); }
  EchoRef echo() const {
    return IDL::traits<Calls::Echo>::narrow(
        served.client->string_to_object(takt::reference::ior_to_text(ior_)));
  }

  std::optional<LossyRelay> relay;
  std::atomic<int> runs{0};
  const Served served;

 private:
  takt::cdr::Ior ior_;
};

bool all_are_datagrams() {
  const auto sockets = open_sockets();
  return !sockets.empty() && std::ranges::all_of(sockets, [](const OpenSocket& one) {
    return one.option(SOL_SOCKET, SO_TYPE) == SOCK_DGRAM;
  });
}

TEST(Udp, CarriesCallsOverBothFamilies) {
  for (const char* endpoint : {"udp://127.0.0.1:0", "udp://[::1]:0"}) {
    const Served served(endpoint);
    const auto echo = served.echo_in(served.root);
    EXPECT_EQ(echo->cube(3), 27);
    EXPECT_TRUE(all_are_datagrams());
    const Calls::Octets long_one(3'000'000, 7);
    EXPECT_EQ(echo->echo_octets(long_one), long_one);
    echo->note(5);
    EXPECT_EQ(echo->noted(), 5);
    EXPECT_TRUE(served.server->_published_endpoints().front().starts_with("udp "));
  }
}

// More than the initial window of a connection; the rest is sent as the client acknowledges data.
TEST(Udp, AServerThatEndsSendsItsRepliesToTheirEnd) {
  using namespace takt::transport;
  const auto soon = [] { return takt::os::Clock::now() + 20s; };
  UdpTransport transport;
  const auto acceptor = transport.listen({"udp", "127.0.0.1", 0}, {}).value();
  std::unique_ptr<Stream> server;
  std::jthread ending([&] {
    while (!server && takt::os::wait_ready(acceptor->native_handle(), takt::os::Interest::read, soon()) ==
                          takt::os::WaitResult::ready)
      if (auto accepted = acceptor->accept()) server = std::move(*accepted);
    ASSERT_TRUE(server);
    const takt::LiveSetting<std::chrono::nanoseconds> patience{0ns};
    takt::server::WriteBuffer out(*server, 0, patience);
    const std::vector<std::uint8_t> reply(60'000, 7);
    EXPECT_EQ(server->write(reply).bytes, reply.size());
    const takt::server::GracefulClose close{server.get(), &out, {1, 2}};
    takt::server::close_gracefully({&close, 1}, soon());
    server.reset();
  });
  const auto client = transport.connect(acceptor->local_endpoint(), soon(), {}).value();
  ASSERT_TRUE(client->set_timeouts(20s, 20s));
  constexpr std::size_t close_connection_bytes = 12;
  std::vector<std::uint8_t> octets(100'000);
  std::size_t got = 0;
  IoResult read{0, IoStatus::ok, 0};
  while (read.status == IoStatus::ok) {
    read = client->read(takt::MutableBytes(octets).subspan(got));
    got += read.bytes;
  }
  EXPECT_EQ(got, 60'000 + close_connection_bytes);
  EXPECT_EQ(read.status, IoStatus::end_of_stream);
}

class ToASlowClient : public testing::TestWithParam<const char*> {};

// A thread of the server has not sent all of a reply and serves others meanwhile; then it sends the rest.
TEST_P(ToASlowClient, AReplyThatIsNotTakenHoldsUpNobody) {
  using namespace takt::transport;
  const Served served("udp://127.0.0.1:0", {"-ORBServerConcurrency", GetParam()});
  const std::string text = served.ior_in(served.root);
  const auto profile =
      takt::giop::read_profile(takt::reference::ior_from_text(text).value().profiles.at(0), udp_form).value();
  UdpTransport transport;
  const auto slow =
      transport.connect({"udp", "127.0.0.1", profile.port}, takt::os::Clock::now() + 20s, {}).value();
  ASSERT_TRUE(slow->set_timeouts(20s, 20s));
  const std::vector<std::uint8_t> octets(400'000, 7);
  takt::GatherBuffer request;
  takt::cdr::Encoder encoder(request);
  const auto target = takt::giop::PreparedTarget::for_key({1, 2}, profile.object_key);
  takt::giop::write_request(encoder, target, {.request_id = 1, .operation = "echo_octets", .has_body = true});
  takt::cdr::write(encoder, octets);
  takt::giop::finish_message(request);
  std::vector<takt::ByteView> pieces;
  request.gather(pieces);
  std::vector<std::uint8_t> message;
  for (const takt::ByteView piece : pieces) message.insert(message.end(), piece.begin(), piece.end());
  for (std::size_t sent = 0; sent < message.size();) {
    const auto result = slow->write(takt::ByteView(message).subspan(sent));
    ASSERT_EQ(result.status, IoStatus::ok);
    sent += result.bytes;
  }
  const auto echo = IDL::traits<Calls::Echo>::narrow(served.client->string_to_object(text));
  for (int call = 0; call < 50; ++call) EXPECT_EQ(echo->cube(3), 27);
  // A GIOP 1.2 header, optionally an empty context, then a count and that many elements.
  std::vector<std::uint8_t> reply(24);
  for (std::size_t got = 0; got < reply.size();) {
    const auto result = slow->read(takt::MutableBytes(reply).subspan(got));
    ASSERT_EQ(result.status, IoStatus::ok) << got;
    got += result.bytes;
    if (got == reply.size() && got == 24) reply.resize(12 + takt::giop::load_u32(reply.data() + 8, false));
  }
  ASSERT_GT(reply.size(), octets.size());
  EXPECT_TRUE(std::equal(octets.begin(), octets.end(), reply.end() - std::ssize(octets)));
  for (int call = 0; call < 5; ++call) EXPECT_EQ(echo->cube(3), 27);
}

INSTANTIATE_TEST_SUITE_P(Architectures, ToASlowClient, testing::ValuesIn(server_concurrencies),
                         [](const auto& given) {
                           std::string name = given.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

std::uint16_t udp_port_of(const std::string& ior) {
  return takt::giop::read_profile(takt::reference::ior_from_text(ior).value().profiles.at(0), udp_form)
      .value()
      .port;
}

// Whether the server has a connection to the client's port.
bool has_connection_to(std::uint16_t port) {
  return std::ranges::count(open_sockets(), port, &OpenSocket::peer_port) != 0;
}
bool loses_connection_to(std::uint16_t port) {
  const auto until = takt::os::Clock::now() + 20s;
  while (has_connection_to(port) && takt::os::Clock::now() < until) std::this_thread::sleep_for(10ms);
  return !has_connection_to(port);
}

// An independent implementation of the client's protocol.
class RawClient {
 public:
  using Datagram = takt::transport::Datagram;
  using Octets = std::vector<std::uint8_t>;

  explicit RawClient(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_DGRAM, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    to.sin_port = htons(port);
    EXPECT_EQ(::connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to), 0);
    const timeval patience{20, 0};
    EXPECT_EQ(::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience), 0);
    send(Datagram::Kind::hello, number, Octets(Datagram::greeting_bytes));
    Octets open = body_of_next();
    open.resize(Datagram::greeting_bytes);
    send(Datagram::Kind::open, number, open);
    token = takt::transport::decode_token(body_of_next()).value_or(0);
  }
  // Sends nothing to the server, as if killed.
  ~RawClient() { ::close(socket_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  void send(Datagram::Kind kind, std::uint64_t with_token, const Octets& body, std::uint8_t flags = 0) {
    const auto head = Datagram{kind, flags, with_token, 0, 0}.encode();
    Octets octets(head.begin(), head.end());
    octets.insert(octets.end(), body.begin(), body.end());
    ::send(socket_, octets.data(), octets.size(), 0);
  }
  std::uint16_t port() const {
    sockaddr_in own{};
    socklen_t size = sizeof own;
    EXPECT_EQ(::getsockname(socket_, reinterpret_cast<sockaddr*>(&own), &size), 0);
    return ntohs(own.sin_port);
  }

  static constexpr std::uint64_t number = 99;
  std::uint64_t token = 0;

 private:
  Octets body_of_next() {
    Octets octets(2000);
    const ssize_t count = ::recv(socket_, octets.data(), octets.size(), 0);
    EXPECT_GE(count, static_cast<ssize_t>(Datagram::head_bytes));
    octets.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
    octets.erase(octets.begin(),
                 octets.begin() + std::min<std::ptrdiff_t>(std::ssize(octets), Datagram::head_bytes));
    return octets;
  }

  const int socket_;
};

class Silent : public testing::TestWithParam<const char*> {};

TEST_P(Silent, AKilledClientIsNoticedLongBeforeTheIdleTimeout) {
  const Served served("udp://127.0.0.1:0",
                      {"-ORBServerConcurrency", GetParam(), "-ORBDatagramProbe", "200ms"});
  auto killed = std::make_unique<RawClient>(udp_port_of(served.ior_in(served.root)));
  const std::uint16_t port = killed->port();
  EXPECT_TRUE(has_connection_to(port));
  killed.reset();
  EXPECT_TRUE(loses_connection_to(port));
  EXPECT_EQ(served.echo_in(served.root)->cube(3), 27);
}

// A datagram without a stream, one of the handshake, and one of the stream without data.
TEST_P(Silent, DatagramsWithoutRequestsKeepNoConnection) {
  const Served served("udp://127.0.0.1:0", {"-ORBServerConcurrency", GetParam(), "-ORBIdleTimeout", "300ms"});
  RawClient peer(udp_port_of(served.ior_in(served.root)));
  EXPECT_TRUE(has_connection_to(peer.port()));
  using Datagram = takt::transport::Datagram;
  bool closed = false;
  for (int i = 0; i < 400 && !closed; ++i) {
    peer.send(Datagram::Kind::data, peer.token + 1, RawClient::Octets(100));
    peer.send(Datagram::Kind::open, peer.number, RawClient::Octets(Datagram::greeting_bytes));
    peer.send(Datagram::Kind::data, peer.token, {}, Datagram::ask | Datagram::again);
    peer.send(static_cast<Datagram::Kind>(77), peer.token, {});
    std::this_thread::sleep_for(25ms);
    closed = !has_connection_to(peer.port());
  }
  EXPECT_TRUE(closed);
  EXPECT_EQ(served.echo_in(served.root)->cube(3), 27);
}

INSTANTIATE_TEST_SUITE_P(Architectures, Silent, testing::ValuesIn(server_concurrencies),
                         [](const auto& given) {
                           std::string name = given.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

class OverALossyNetwork : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(OverALossyNetwork, EachCallIsRunOnce) {
  const auto& [concurrency, mux] = GetParam();
  Behind behind({.lost = 15, .doubled = 15, .late = 15}, {"-ORBServerConcurrency", concurrency},
                {"-ORBClientConnections", mux, "-ORBDatagramRepeat", "5ms"});
  const auto echo = behind.echo();
  constexpr int calls = 60;
  for (int call = 1; call <= calls; ++call) {
    echo->nothing();
    EXPECT_EQ(behind.runs, call);
  }
  EXPECT_GT(behind.relay->lost(), 5u);
  const Calls::Octets octets(20'000, 9);
  EXPECT_EQ(echo->echo_octets(octets), octets);
}

INSTANTIATE_TEST_SUITE_P(Architectures, OverALossyNetwork,
                         testing::Combine(testing::ValuesIn(server_concurrencies),
                                          testing::Values("exclusive", "cached", "multiplexed",
                                                          "multiplexed-active")),
                         [](const auto& given) {
                           std::string name =
                               std::string(std::get<0>(given.param)) + "_" + std::get<1>(given.param);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(Udp, ThreadsShareALossyConnection) {
  for (const char* mux : {"multiplexed", "multiplexed-active"}) {
    Behind behind({.lost = 10, .doubled = 10, .late = 10}, {"-ORBServerConcurrency", "worker-pool"},
                  {"-ORBClientConnections", mux, "-ORBDatagramRepeat", "5ms"});
    const auto echo = behind.echo();
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        for (int call = 0; call < 25; ++call) echo->nothing();
      });
    threads.clear();
    EXPECT_EQ(behind.runs, 100) << mux;
  }
}

// A silent network: the call ends at its deadline with COMPLETED_MAYBE.
TEST(Udp, ADeadlineBoundsHowLongIsSentAgain) {
  Behind behind({}, {}, {"-ORBRoundTripTimeout", "1s", "-ORBDatagramRepeat", "5ms"});
  const auto echo = behind.echo();
  echo->nothing();
  behind.relay->set_odds({.lost = 100});
  try {
    echo->nothing();
    FAIL() << "nothing was thrown";
  } catch (const CORBA::TIMEOUT& failure) {
    EXPECT_EQ(failure.completed(), CORBA::COMPLETED_MAYBE);
  }
  EXPECT_GE(behind.relay->lost(), 3u) << "it was sent again";
  EXPECT_EQ(behind.runs, 1);
}

TEST(Udp, AServerThatIsNotThereIsGoneAtOnceAndTheNextProfileIsUsed) {
  const Served served("udp://127.0.0.1:0,iiop://127.0.0.1:0");
  auto ior = takt::reference::ior_from_text(served.ior_in(served.root)).value();
  auto profile = takt::giop::read_profile(ior.profiles.at(0), udp_form).value();
  profile.port = 1;
  ior.profiles[0] = takt::giop::write_profile(profile, udp_form);
  const auto echo =
      IDL::traits<Calls::Echo>::narrow(served.client->string_to_object(takt::reference::ior_to_text(ior)));
  EXPECT_EQ(echo->cube(3), 27);
  EXPECT_EQ(connections(AF_INET), 2);
}

TEST(Udp, PoliciesChooseItAndSetItsSockets) {
  const Served served("iiop://127.0.0.1:0,udp://127.0.0.1:0");
  const auto rt = rt_of(served.client);
  const auto properties = CORBA::make_reference<takt::SocketProperties>();
  properties->traffic_class(46);
  const auto by_udp =
      rt->create_client_protocol_policy({RTCORBA::Protocol(takt::UDP_PROTOCOL_TYPE, {}, properties)});
  const auto echo = IDL::traits<Calls::Echo>::narrow(
      served.echo_in(served.root)->_set_policy_overrides({by_udp}, CORBA::SetOverrideType::ADD_OVERRIDE));
  EXPECT_EQ(echo->cube(3), 27);
  EXPECT_TRUE(all_are_datagrams());
  EXPECT_TRUE(std::ranges::any_of(
      open_sockets(), [](const OpenSocket& one) { return one.option(IPPROTO_IP, IP_TOS) == 46 << 2; }));
}

TEST(Udp, ShortHeadsGoOverIt) {
  const std::vector<std::string> lite{"-ORBMessaging", "giop-lite"};
  Behind behind({.lost = 15, .doubled = 15, .late = 15}, lite,
                {"-ORBMessaging", "giop-lite", "-ORBDatagramRepeat", "5ms"});
  const auto echo = behind.echo();
  for (std::uint8_t i = 0; i < 40; ++i) EXPECT_EQ(echo->cube(i), static_cast<std::uint8_t>(i * i * i));
}

}  // namespace
}  // namespace feature
