// Octets on a TLS connection's socket that are no record, which needs no key: the server closes the
// connection or waits for the rest, without affecting others.
#include <atomic>
#include <ctime>
#include <thread>

#include "../kept_port.h"
#include "../transports/served.h"
#include "certificates.h"
#include "hostile_fixture.h"
#include "raw_end.h"

namespace feature {
namespace {

using takt::test::RawTlsEnd;

const takt::test::Authority& authority() {
  static const takt::test::Authority one;
  return one;
}

const takt::test::Credentials& credentials() {
  static const takt::test::Credentials own = authority().issue({.name = "server"});
  return own;
}

// Processor time of all threads of this process: the server's, the client's and the test's.
std::chrono::nanoseconds processor_time() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

// While all threads should be idle, a thread that spins would use all of this time.
void expect_nobody_spins() {
  const auto before = processor_time();
  std::this_thread::sleep_for(300ms);
  EXPECT_LT(processor_time() - before, 150ms);
}

const Octets no_heads[] = {{0x00},
                           {0x47},
                           {0x19},
                           {0x80, 0x2e},
                           {0xff, 0xff, 0xff},
                           {0x17, 0x00},
                           {0x17, 0xa4, 0x03},
                           {0x17, 0x03, 0x05},
                           {0x17, 0x03, 0x03, 0x49},
                           {0x15, 0x03, 0x03, 0xff},
                           {'G', 'E', 'T', ' '},
                           {'G', 'I', 'O', 'P', 1},
                           {0x17, 0x03, 0x03, 0x48, 0x01},
                           {0x17, 0x03, 0x03, 0xff, 0xff}};

const Octets beginnings[] = {
    {0x17}, {0x17, 0x03}, {0x17, 0x03, 0x03}, {0x17, 0x03, 0x03, 0x40}, {0x17, 0x03, 0x03, 0x00, 0x40}};

std::string text_of(const Octets& octets) {
  std::string text = "octets";
  for (const std::uint8_t octet : octets) text += ' ' + std::to_string(octet);
  return text;
}

// A server with a TLS port, and a client that must stay served over it.
class TlsOctets : public testing::TestWithParam<const char*> {
 protected:
  void start(std::vector<std::string> options = {}) {
    options.insert(options.end(),
                   {"-ORBServerConcurrency", GetParam(), "-ORBServerThreads", "2", "-ORBTLSCertificate",
                    credentials().certificate_file, "-ORBTLSKey", credentials().key_file});
    served = std::make_unique<Served>("ssliop://127.0.0.1:" + std::to_string(kept.port()), std::move(options),
                                      std::vector<std::string>{"-ORBTLSAuthorities", authority().file()});
    echo = served->echo_in(served->root);
    key = Place(served->ior_in(served->root)).key;
  }
  ~TlsOctets() override { echo.reset(); }
  void expect_others_served() {
    for (std::uint8_t i = 0; i < 6; ++i) EXPECT_EQ(echo->cube(i), i * i * i);
  }
  // A connected peer after its handshake.
  struct Peer {
    explicit Peer(std::uint16_t port) : socket(port), tls(RawTlsEnd::client(socket.fd())) {}
    RawPeer socket;
    RawTlsEnd tls;
  };
  static bool is_queued() {
    const std::string_view concurrency = GetParam();
    return concurrency == "worker-pool" || concurrency == "threading-framework";
  }
  std::unique_ptr<Peer> connect() const { return std::make_unique<Peer>(kept.port()); }

  KeptPort kept;
  std::unique_ptr<Served> served;
  EchoRef echo;
  Octets key;
};

TEST_P(TlsOctets, ThatBeginNoRecordEndTheirConnectionAtOnce) {
  start();
  for (const Octets& octets : no_heads) {
    SCOPED_TRACE(text_of(octets));
    const auto peer = connect();
    ASSERT_TRUE(peer->tls.send(octets));
    EXPECT_TRUE(peer->socket.closes_within(10s));
    expect_others_served();
  }
  expect_nobody_spins();
}

TEST_P(TlsOctets, ThatBeginNoRecordCostNothingWhereThePeerHasLeft) {
  start();
  for (const Octets& octets : no_heads) ASSERT_TRUE(connect()->tls.send(octets));
  expect_others_served();
  expect_nobody_spins();
  expect_others_served();
}

TEST_P(TlsOctets, ThatBeginNoRecordBehindOneThatIsServed) {
  start();
  for (const Octets& octets : no_heads) {
    SCOPED_TRACE(text_of(octets));
    const auto peer = connect();
    Octets together = peer->tls.record_of(request(1, key, "nothing").finish());
    together.insert(together.end(), octets.begin(), octets.end());
    ASSERT_TRUE(peer->tls.send(together));
    // Where requests wait in a queue, the reply may come after the connection is closed.
    if (!is_queued()) {
      EXPECT_EQ(type_of(peer->tls.receive(12)), reply_type);
    }
    EXPECT_TRUE(peer->socket.closes_within(10s));
  }
  expect_others_served();
  expect_nobody_spins();
}

TEST_P(TlsOctets, ThatBeginARecordWaitForItsRest) {
  start();
  std::vector<std::unique_ptr<Peer>> peers;
  for (const Octets& octets : beginnings) ASSERT_TRUE(peers.emplace_back(connect())->tls.send(octets));
  expect_others_served();
  expect_nobody_spins();
  for (const auto& peer : peers) {
    ::shutdown(peer->socket.fd(), SHUT_WR);
    EXPECT_TRUE(peer->socket.closes_within(10s)) << "the server does not see the end of the stream";
  }
  expect_others_served();
}

TEST_P(TlsOctets, ThatBeginARecordAreIdleLikeNone) {
  start({"-ORBIdleTimeout", "1s"});
  std::vector<std::unique_ptr<Peer>> peers;
  for (const Octets& octets : beginnings) ASSERT_TRUE(peers.emplace_back(connect())->tls.send(octets));
  for (std::size_t i = 0; i < peers.size(); ++i)
    EXPECT_TRUE(peers[i]->socket.closes_within(10s)) << text_of(beginnings[i]);
  expect_others_served();
}

TEST_P(TlsOctets, RecordsInPiecesAreServed) {
  start();
  const auto peer = connect();
  for (std::uint32_t i = 1; i <= 3; ++i) {
    for (const std::uint8_t octet : peer->tls.record_of(request(i, key, "nothing").finish()))
      ASSERT_TRUE(peer->tls.send({&octet, 1}));
    EXPECT_EQ(peer->tls.receive(24).size(), 24u);
  }
}

INSTANTIATE_TEST_SUITE_P(Servers, TlsOctets, testing::ValuesIn(server_concurrencies), name_of);

// A server that makes the handshake, reads the request, and then sends the octets.
class TlsOctetsToClients : public testing::TestWithParam<const char*> {
 protected:
  TlsOctetsToClients() : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener_, generic, size) != 0 || ::listen(listener_, 16) != 0 ||
        ::getsockname(listener_, generic, &size) != 0)
      throw std::runtime_error("no listener");
    object_url_ = "corbaloc:ssliop:1.2@127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + "/key";
  }
  ~TlsOctetsToClients() override { ::close(listener_); }
  // The result of a new client's call that gets this answer; the connection stays open until the call
  // returns.
  std::string answered_with(const Octets& octets) {
    const auto client = make_orb({"-ORBTLSAuthorities", authority().file(), "-ORBClientConnections",
                                  GetParam(), "-ORBRoundTripTimeout", "500ms"},
                                 "client");
    std::atomic<bool> over = false;
    std::jthread server([&] {
      pollfd waiting{listener_, POLLIN, 0};
      const int fd = ::poll(&waiting, 1, 10'000) == 1 ? ::accept(listener_, nullptr, nullptr) : -1;
      if (fd < 0) return;
      auto tls = RawTlsEnd::server(fd, credentials());
      tls.receive(12);
      (void)tls.send(octets);
      while (!over) std::this_thread::sleep_for(1ms);
      ::close(fd);
    });
    std::string outcome = "a reply";
    try {
      const auto object = client->string_to_object(object_url_);
      (void)takt::reference::make_stub<::Calls::Echo>(object->_ref())->cube(3);
    } catch (const CORBA::SystemException& failure) {
      outcome = failure._name();
    }
    over = true;
    server.join();
    client->destroy();
    return outcome;
  }

 private:
  const int listener_;
  std::string object_url_;
};

TEST_P(TlsOctetsToClients, ThatBeginNoRecordFailTheCall) {
  for (const Octets& octets : no_heads) EXPECT_EQ(answered_with(octets), "COMM_FAILURE") << text_of(octets);
  expect_nobody_spins();
}

TEST_P(TlsOctetsToClients, ThatBeginARecordLeaveTheRoundTripTimeout) {
  for (const Octets& octets : beginnings) EXPECT_EQ(answered_with(octets), "TIMEOUT") << text_of(octets);
  expect_nobody_spins();
}

INSTANTIATE_TEST_SUITE_P(Clients, TlsOctetsToClients,
                         testing::Values("exclusive", "cached", "multiplexed", "multiplexed-active"),
                         name_of);

}  // namespace
}  // namespace feature
