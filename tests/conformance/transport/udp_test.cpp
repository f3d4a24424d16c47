// Properties of UDP: networks that lose and duplicate datagrams, and peers with false addresses.
#include <sys/resource.h>

#include <algorithm>
#include <optional>
#include <random>
#include <thread>

#include "../../eventually.h"
#include "interrupted.h"
#include "lossy_relay.h"
#include "os/poll/wait.h"
#include "transport/udp/datagram.h"
#include "transport/udp/udp_transport.h"
#include "transports.h"

namespace takt::transport {
namespace {

using takt::test::eventually;
using test::LossyRelay;
using test::Octets;
using Kind = Datagram::Kind;

class UdpTest : public TransportTest {
 protected:
  UdpTest() : TransportTest(tested::udp_v4) {}
  void through(LossyRelay::Odds odds, unsigned seed = 1) {
    const Endpoint server = acceptor_->local_endpoint();
    relay_ = std::make_unique<LossyRelay>(server.port, odds, seed);
    auto connected = connect({"udp", "127.0.0.1", relay_->port()});
    ASSERT_TRUE(connected) << connected.error().text;
    client_ = std::move(*connected);
    auto accepted = accept();
    ASSERT_TRUE(accepted);
    server_ = std::move(*accepted);
  }
  // Connects a client through a relay to a server that probes a silent client after `silence`.
  void connect_probing_after(std::chrono::milliseconds silence) {
    UdpOptions options;
    options.probe_after = silence;
    probing_.emplace(options);
    auto listening = probing_->listen({"udp", "127.0.0.1", 0}, {});
    ASSERT_TRUE(listening);
    acceptor_ = std::move(*listening);
    through({});
    server_->set_silence_limit(10min);
  }
  // Whether the server accepts a client now.
  bool somebody_comes() {
    for (int i = 0; i < 20; ++i) {
      if (acceptor_->accept()) return true;
      os::wait_ready(acceptor_->native_handle(), os::Interest::read, os::Clock::now() + 5ms);
    }
    return false;
  }

  std::unique_ptr<LossyRelay> relay_;
  std::optional<UdpTransport> probing_;
};

TEST_F(UdpTest, AHandshakeWithASilentServerCanBeInterrupted) {
  expect_interruptible(*transport_, acceptor_->local_endpoint());  // nothing accepts
}

TEST_F(UdpTest, ItIsForCallsToServersAloneAndAnotherEndpointIsAtAPortOfItsOwn) {
  EXPECT_EQ(transport_->name(), "udp");
  EXPECT_FALSE(transport_->supports_bidirectional());
  EXPECT_EQ(transport_->profile_form().tag, udp_profile);
  EXPECT_TRUE(transport_->profile_form().has_port);
  EXPECT_EQ(transport_->beside({"udp", "192.0.2.9", 7}), (Endpoint{"udp", "192.0.2.9", 0}));
}

class Lossy : public UdpTest, public testing::WithParamInterface<unsigned> {};

TEST_P(Lossy, EachRequestIsTakenOnceAndAnswered) {
  through({.lost = 20, .doubled = 20, .late = 20}, GetParam());
  constexpr int calls = 100;
  std::thread serving([&] {
    for (int call = 0; call < calls; ++call) {
      EXPECT_EQ(read_text(*server_, 8), "call " + std::to_string(100 + call));
      EXPECT_EQ(write_all(*server_, octets_of("reply " + std::to_string(100 + call))).status, IoStatus::ok);
    }
    read_text(*server_, 1);  // answers retransmissions until the client has gone
  });
  for (int call = 0; call < calls; ++call) {
    EXPECT_EQ(write_all(*client_, octets_of("call " + std::to_string(100 + call))).status, IoStatus::ok);
    EXPECT_EQ(read_text(*client_, 9), "reply " + std::to_string(100 + call));
  }
  relay_->set_odds({});
  client_.reset();
  serving.join();
  EXPECT_GT(relay_->lost(), 20u);
}

TEST_P(Lossy, LongMessagesArriveWhole) {
  through({.lost = 5, .doubled = 5, .late = 5}, GetParam());
  const auto sent = pattern(300'000);
  std::vector<std::uint8_t> received(sent.size());
  std::thread writer([&] {
    EXPECT_EQ(write_all(*server_, sent).status, IoStatus::ok);
    read_text(*server_, 1);
  });
  EXPECT_EQ(read_all(*client_, received).status, IoStatus::ok);
  EXPECT_TRUE(received == sent);
  relay_->set_odds({});
  client_.reset();
  writer.join();
}
// Each side stores incoming data while it waits for room, and reads it afterwards.
TEST_P(Lossy, BothWriteBeforeTheyRead) {
  through({.lost = 5, .doubled = 5, .late = 5}, GetParam());
  const auto sent = pattern(200'000);
  const auto exchange = [&](Stream& stream) {
    std::vector<std::uint8_t> received(sent.size());
    EXPECT_EQ(write_all(stream, sent).status, IoStatus::ok);
    EXPECT_EQ(read_all(stream, received).status, IoStatus::ok);
    EXPECT_TRUE(received == sent);
  };
  std::thread other([&] {
    exchange(*server_);
    server_->write(octets_of("x"));
    read_text(*server_, 1);
  });
  exchange(*client_);
  EXPECT_EQ(read_text(*client_, 1), "x") << "the server has all, before the client goes";
  relay_->set_odds({});
  client_.reset();
  other.join();
}

INSTANTIATE_TEST_SUITE_P(Seeds, Lossy, testing::Range(0U, 4U));

// Reads at next_read_deadline() at the latest, as a reactor does.
TEST_F(UdpTest, AClientThatPollsSendsAgain) {
  through({});
  client_->set_blocking(false);
  relay_->set_odds({.lost = 100});
  client_->write(octets_of("x"));
  std::uint8_t octet;
  EXPECT_TRUE(eventually([&] { return relay_->lost() != 0; }));
  relay_->set_odds({});
  while (relay_->passed() == 0 || os::wait_ready(server_->native_handle(), os::Interest::read,
                                                 os::Clock::now()) != os::WaitResult::ready) {
    os::wait_ready(client_->native_handle(), os::Interest::read, client_->next_read_deadline());
    EXPECT_EQ(client_->read({&octet, 1}).status, IoStatus::would_block);
  }
  EXPECT_EQ(read_text(*server_, 1), "x");
}

// The handle is always ready for writing, so the server waits for the peer's answer by reading, and blocks
// nothing else.
TEST_F(UdpTest, AServerWithoutRoomHearsOfItByReading) {
  through({});
  EXPECT_TRUE(server_->write_waits_for_read());
  server_->set_blocking(false);
  const auto sent = pattern(300'000);
  std::size_t written = 0;
  const auto write_on = [&] {
    for (;;) {
      const IoResult result = server_->write(ByteView(sent).subspan(written));
      if (result.status != IoStatus::ok) return result.status;
      written += result.bytes;
      if (written == sent.size()) return result.status;
    }
  };
  const auto readable = [&](os::TimePoint by) {
    return os::wait_ready(server_->native_handle(), os::Interest::read, by) == os::WaitResult::ready;
  };
  ASSERT_EQ(write_on(), IoStatus::would_block);
  EXPECT_LT(written, sent.size());
  EXPECT_FALSE(readable(os::Clock::now() + 20ms)) << "the peer has said nothing";
  std::vector<std::uint8_t> received(sent.size());
  std::jthread reader([&] { EXPECT_EQ(read_all(*client_, received).status, IoStatus::ok); });
  while (written < sent.size()) {
    ASSERT_TRUE(readable(soon()));
    const IoStatus status = write_on();
    ASSERT_TRUE(status == IoStatus::ok || status == IoStatus::would_block);
  }
  std::uint8_t octet;
  server_->set_blocking(true);
  std::jthread answering([&] { EXPECT_EQ(server_->read({&octet, 1}).status, IoStatus::end_of_stream); });
  reader.join();
  EXPECT_TRUE(received == sent);
  client_.reset();
}

// Data that came before the room did is read without waiting for more.
TEST_F(UdpTest, AWriterTellsWhatItHasTakenInForTheReader) {
  through({});
  server_->set_blocking(false);
  const auto sent = pattern(1000);
  while (server_->write(sent).status == IoStatus::ok) {
  }
  EXPECT_FALSE(server_->holds_octets());
  client_->write(octets_of("call"));
  ASSERT_EQ(os::wait_ready(server_->native_handle(), os::Interest::read, soon()), os::WaitResult::ready);
  while (server_->write(sent).status == IoStatus::ok) {
  }
  EXPECT_TRUE(server_->holds_octets());
  EXPECT_EQ(read_text(*server_, 4), "call");
  EXPECT_FALSE(server_->holds_octets());
}

// The client's end closes silently, as after its process was killed.
TEST_F(UdpTest, AServerThatReadsNoticesThatItsClientWasKilled) {
  ASSERT_NO_FATAL_FAILURE(connect_probing_after(20ms));
  client_->write(octets_of("call"));
  EXPECT_EQ(read_text(*server_, 4), "call");
  std::jthread killing([&] {
    std::this_thread::sleep_for(100ms);  // long enough for some probes to be answered
    relay_.reset();
  });
  std::uint8_t octet;
  const IoResult result = server_->read({&octet, 1});
  EXPECT_EQ(result.status, IoStatus::failed);
  EXPECT_EQ(result.error, ECONNRESET);
}

// Only the answer to a datagram of its own shows it that its server is gone.
TEST_F(UdpTest, AClientThatWaitsLongDoesNotRepeatEverMoreSeldom) {
  UdpOptions options;
  options.repeat_after = 1ms;
  options.longest_repeat = 4ms;
  UdpTransport transport(options);
  relay_ = std::make_unique<LossyRelay>(acceptor_->local_endpoint().port, LossyRelay::Odds{}, 1);
  std::jthread accepting([this] {
    if (auto accepted = accept()) server_ = std::move(*accepted);
  });
  auto connected = transport.connect({"udp", "127.0.0.1", relay_->port()}, soon(), {});
  accepting.join();
  ASSERT_TRUE(connected) << connected.error().text;
  const std::jthread waiting([&] {
    std::uint8_t octet;
    (*connected)->read({&octet, 1});
  });
  const unsigned wanted = relay_->passed() + 20;  // by doubling alone they would take 17 minutes
  for (const auto until = soon(); relay_->passed() < wanted && os::Clock::now() < until;)
    std::this_thread::sleep_for(1ms);
  EXPECT_GE(relay_->passed(), wanted);
  (*connected)->shut_down();
}

// The answer of the client's host makes the handle ready.
TEST_F(UdpTest, AServerThatPollsNoticesThatItsClientWasKilled) {
  connect_probing_after(10s);
  server_->set_blocking(false);
  const auto now = os::Clock::now();
  client_->write(octets_of("call"));
  ASSERT_EQ(os::wait_ready(server_->native_handle(), os::Interest::read, soon()), os::WaitResult::ready);
  EXPECT_EQ(read_text(*server_, 4), "call");
  server_->probe_silent_peer(now);
  relay_.reset();
  server_->probe_silent_peer(now + 9s);
  const auto is_told = [&](std::chrono::milliseconds patience) {
    return os::wait_ready(server_->native_handle(), os::Interest::read, os::Clock::now() + patience) ==
           os::WaitResult::ready;
  };
  EXPECT_FALSE(is_told(50ms)) << "it was not silent for long enough to be probed";
  server_->probe_silent_peer(now + 10s);
  ASSERT_TRUE(is_told(10s));
  std::uint8_t octet;
  const IoResult result = server_->read({&octet, 1});
  EXPECT_EQ(result.status, IoStatus::failed);
  EXPECT_EQ(result.error, ECONNRESET);
}

TEST_F(UdpTest, AClientProbesNobody) {
  connect_probing_after(10s);
  const unsigned before = relay_->passed();
  client_->probe_silent_peer(os::Clock::now());
  client_->probe_silent_peer(os::Clock::now() + 1h);
  client_->write(octets_of("call"));
  EXPECT_EQ(read_text(*server_, 4), "call");
  EXPECT_EQ(relay_->passed(), before + 1);
}

TEST_F(UdpTest, ProbesDisturbNoCalls) {
  ASSERT_NO_FATAL_FAILURE(connect_probing_after(5ms));
  std::jthread serving([&] {
    for (int call = 0; call < 10; ++call) {
      EXPECT_EQ(read_text(*server_, 4), "call");
      EXPECT_EQ(write_all(*server_, octets_of("reply")).status, IoStatus::ok);
    }
  });
  for (int call = 0; call < 10; ++call) {
    std::this_thread::sleep_for(20ms);
    EXPECT_EQ(write_all(*client_, octets_of("call")).status, IoStatus::ok);
    EXPECT_EQ(read_text(*client_, 5), "reply");
  }
  EXPECT_GT(relay_->passed(), 27u) << "there were no probes";
}

// No reader waits for it; the next message carries it along.
TEST_F(UdpTest, AOnewayThatIsLostComesBeforeTheNext) {
  through({});
  relay_->set_odds({.lost = 100});
  client_->write(octets_of("one "));
  EXPECT_TRUE(eventually([&] { return relay_->lost() != 0; }));
  relay_->set_odds({});
  std::thread reader([&] { EXPECT_EQ(read_text(*server_, 8), "one two "); });
  client_->write(octets_of("two "));
  ASSERT_TRUE(client_->set_timeouts(500ms, 0s));
  std::uint8_t octet;
  EXPECT_EQ(client_->read({&octet, 1}).status, IoStatus::timed_out);
  reader.join();
}

// Octets that the client has not read do not keep it from that.
TEST_F(UdpTest, AClientThatEndsSendsTheRestOfALongOneway) {
  through({});
  client_->set_blocking(false);
  auto sent = pattern(1'000'000);
  std::size_t written = 0;
  for (IoResult result{0, IoStatus::ok, 0}; result.status == IoStatus::ok; written += result.bytes)
    result = client_->write(ByteView(sent).subspan(written));
  sent.resize(written);
  EXPECT_TRUE(client_->holds_unsent());
  server_->write(octets_of("late"));
  ASSERT_EQ(os::wait_ready(client_->native_handle(), os::Interest::read, soon()), os::WaitResult::ready);
  std::jthread ending([this] { client_.reset(); });
  std::vector<std::uint8_t> received(written);
  EXPECT_EQ(read_all(*server_, received).status, IoStatus::ok);
  EXPECT_TRUE(received == sent);
}

TEST_F(UdpTest, AClientThatEndsWaitsForASilentPeerNotForLong) {
  relay_ = std::make_unique<LossyRelay>(acceptor_->local_endpoint().port, LossyRelay::Odds(), 1);
  UdpOptions options;
  options.repeat_after = 10s;
  UdpTransport seldom(options);
  std::jthread accepting([this] {
    if (auto accepted = accept()) server_ = std::move(*accepted);
  });
  auto connected = seldom.connect({"udp", "127.0.0.1", relay_->port()}, soon(), {});
  accepting.join();
  ASSERT_TRUE(connected) << connected.error().text;
  client_ = std::move(*connected);
  client_->set_blocking(false);
  const auto sent = pattern(1000);
  while (client_->write(sent).status == IoStatus::ok) {
  }
  EXPECT_TRUE(client_->holds_unsent());
  relay_->set_odds({.lost = 100});
  const auto begun = os::Clock::now();
  client_.reset();
  EXPECT_LT(os::Clock::now() - begun, 5s);
}

// A socket that is shut down for reading is always readable, so that a wait for it would not wait.
TEST_F(UdpTest, AClientThatEndsAfterALongSilenceSleepsWhileItWaits) {
  through({});
  client_->set_blocking(false);
  const auto sent = pattern(1000);
  while (client_->write(sent).status == IoStatus::ok) {
  }
  EXPECT_TRUE(client_->holds_unsent());
  relay_->set_odds({.lost = 100});
  client_->shut_down_reading();
  rusage before{}, after{};
  ASSERT_EQ(getrusage(RUSAGE_THREAD, &before), 0);
  client_.reset();
  ASSERT_EQ(getrusage(RUSAGE_THREAD, &after), 0);
  EXPECT_GT(after.ru_nvcsw - before.ru_nvcsw, 20);
}

TEST_F(UdpTest, WhatWasHeardAndIsSaidAgainChangesNothing) {
  through({});
  client_->write(octets_of("pay"));
  EXPECT_EQ(read_text(*server_, 3), "pay");
  server_->write(octets_of("paid"));
  EXPECT_EQ(read_text(*client_, 4), "paid");
  for (const Octets& datagram : relay_->heard()) relay_->say(datagram);
  server_->set_blocking(false);
  std::uint8_t octet;
  for (int i = 0; i < 10; ++i) {
    os::wait_ready(server_->native_handle(), os::Interest::read, os::Clock::now() + 5ms);
    EXPECT_EQ(server_->read({&octet, 1}).status, IoStatus::would_block);
  }
  EXPECT_FALSE(somebody_comes());
  server_.reset();  // after the connection, so that the server is gone from the same address
  for (const Octets& datagram : relay_->heard()) relay_->say(datagram);
  EXPECT_FALSE(somebody_comes());
}

// The acknowledgements to it are refused, and what is new comes after many repetitions.
TEST_F(UdpTest, WhatAPeerHasSentBeforeItWentIsRead) {
  through({});
  client_->write(octets_of("pay "));
  EXPECT_EQ(read_text(*server_, 4), "pay ");
  const Octets known = relay_->heard().back();
  const std::size_t heard = relay_->heard().size();
  relay_->set_odds({.lost = 100});
  client_->write(octets_of("more"));
  EXPECT_TRUE(eventually([&] { return relay_->heard().size() > heard; }));
  const Octets fresh = relay_->heard().back();
  for (int i = 0; i < 100; ++i) relay_->say(known);
  relay_->say(fresh);
  relay_.reset();
  EXPECT_EQ(read_text(*server_, 4), "more");
}

TEST_F(UdpTest, DatagramsWithoutTheTokenAreNobodys) {
  through({});
  Octets forged(Datagram::head_bytes + 5, 'x');
  const auto head = Datagram{Kind::data, Datagram::end | Datagram::deaf, 12345, 0, 0}.encode();
  std::copy(head.begin(), head.end(), forged.begin());
  relay_->say(forged);
  relay_->say(Octets(3, 'x'));
  relay_->say({});
  client_->write(octets_of("real"));
  EXPECT_EQ(read_text(*server_, 4), "real");
}

// A server that does not know a connection, because it was restarted or has closed it, says so when datagrams
// arrive.
TEST_F(UdpTest, AConnectionThatTheServerDoesNotHaveIsOver) {
  through({});
  relay_->set_odds({.lost = 100});
  server_.reset();
  EXPECT_TRUE(eventually([&] { return relay_->lost() != 0; }));
  relay_->set_odds({});
  client_->write(octets_of("anybody?"));
  const auto answering = std::jthread([&](const std::stop_token& over) {
    while (!over.stop_requested()) somebody_comes();
  });
  std::uint8_t octet;
  const IoResult result = client_->read({&octet, 1});
  EXPECT_EQ(result.status, IoStatus::failed);
  EXPECT_EQ(result.error, ECONNRESET);
}

// The system reports that a port is closed before it delivers data that came from there.
class UdpServerThatHasEnded : public UdpTest, public testing::WithParamInterface<bool> {
 protected:
  void SetUp() override {
    UdpTest::SetUp();
    open_one();
    EXPECT_EQ(write_all(*server_, octets_of("bye")).status, IoStatus::ok);
    server_.reset();
    acceptor_.reset();
    client_->set_blocking(GetParam());
    client_->write(octets_of("anybody?"));  // there is no server, as the next call reports
  }
};

TEST_P(UdpServerThatHasEnded, IsHeardToItsEnd) {
  EXPECT_EQ(client_->write(octets_of("really?")).status, IoStatus::failed);
  EXPECT_EQ(read_text(*client_, 3), "bye");
  std::uint8_t octet;
  EXPECT_EQ(client_->read({&octet, 1}).status, IoStatus::end_of_stream);
}

TEST_P(UdpServerThatHasEnded, IsHeardByWhoReadsFirst) { EXPECT_EQ(read_text(*client_, 3), "bye"); }

INSTANTIATE_TEST_SUITE_P(Blocking, UdpServerThatHasEnded, testing::Bool());

// Before a client has proved its address, it is sent no more octets than it sent.
TEST_F(UdpTest, NobodyIsSentMoreThanHeSent) {
  const int stranger = ::socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in server{};
  server.sin_family = AF_INET;
  server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  server.sin_port = htons(acceptor_->local_endpoint().port);
  ASSERT_EQ(::connect(stranger, reinterpret_cast<const sockaddr*>(&server), sizeof server), 0);
  for (int kind = 0; kind < 8; ++kind)
    for (const std::size_t size : {0uz, 1uz, 23uz, 24uz, 40uz, 56uz, 57uz, 1000uz}) {
      auto head = Datagram{Kind::hello, 0, 99, 0, 0}.encode();
      head[4] = static_cast<std::uint8_t>(kind);
      Octets datagram(head.begin(), head.end());
      datagram.resize(size);
      ASSERT_EQ(::send(stranger, datagram.data(), size, 0), static_cast<ssize_t>(size));
      EXPECT_EQ(acceptor_->accept().error(), AcceptError::would_block);
      std::uint8_t answer[2000];
      ssize_t all = 0;
      for (ssize_t count; (count = ::recv(stranger, answer, sizeof answer, MSG_DONTWAIT)) > 0;) all += count;
      EXPECT_LE(all, static_cast<ssize_t>(size)) << kind;
    }
  ::close(stranger);
}

TEST_F(UdpTest, LargeDatagramsAreTakenApartByTheSystem) {
  UdpOptions options;
  options.limits = {60'000, 1 << 20};
  UdpTransport large(options);
  const auto acceptor = large.listen(tested::udp_v4.any(), {}).value();
  std::unique_ptr<Stream> server;
  acceptor->set_blocking(true);
  std::thread accepting([&] { server = acceptor->accept().value(); });
  const auto client = large.connect(acceptor->local_endpoint(), soon(), {}).value();
  accepting.join();
  const auto sent = pattern(200'000);
  std::vector<std::uint8_t> received(sent.size());
  std::thread writer([&] { EXPECT_EQ(write_all(*client, sent).status, IoStatus::ok); });
  EXPECT_EQ(read_all(*server, received).status, IoStatus::ok);
  writer.join();
  EXPECT_TRUE(received == sent);
}

// A listener for all addresses answers from the address that the client used.
TEST(UdpAddresses, AWildcardListensToBothFamilies) {
  UdpTransport transport;
  const auto acceptor = transport.listen({"udp", "", 0}, {}).value();
  acceptor->set_blocking(true);
  const std::uint16_t port = acceptor->local_endpoint().port;
  for (const char* host : {"127.0.0.1", "127.0.0.5", "::1"}) {
    std::unique_ptr<Stream> server;
    std::thread accepting([&] { server = acceptor->accept().value(); });
    const auto client = transport.connect({"udp", host, port}, soon(), {}).value();
    accepting.join();
    client->write(octets_of("ping"));
    EXPECT_EQ(read_text(*server, 4), "ping") << host;
    server->write(octets_of("pong"));
    EXPECT_EQ(read_text(*client, 4), "pong") << host;
  }
}

}  // namespace
}  // namespace takt::transport
