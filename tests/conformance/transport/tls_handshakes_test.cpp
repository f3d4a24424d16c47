// Handshakes of TLS: one blocks nothing else, and there is a limit to those that a listener has.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <list>

#include "interrupted.h"
#include "tls_fixture.h"
#include "transport/tcp/tcp_transport.h"

namespace takt::transport {
namespace {

TEST_F(TlsTest, NobodyWaitsForAPeerThatSaysNothing) {
  TlsOptions options = server_options();
  options.handshake_time = 1s;  // a handshake that proceeds is done by then
  serve(options);
  const Endpoint plain = plain_endpoint();
  std::vector<std::unique_ptr<Stream>> silent;
  for (int i = 0; i < 20; ++i) silent.push_back(TcpTransport().connect(plain, soon(), {}).value());
  silent.front()->write(octets_of("\x16\3\1"));  // starts a record and stops
  TlsTransport client(client_options());
  EXPECT_TRUE(connect(client));
  EXPECT_EQ(accepted_.size(), 1u);
  accept_while([&] {
    for (const auto& stream : silent) EXPECT_EQ(read_text(*stream, 1), "");
  });
  expect_in(refused(), "longer than -ORBTLSHandshakeTimeout");
  EXPECT_EQ(refusals_.size(), 20u);
}

TEST_F(TlsTest, AHandshakeWithASilentServerCanBeInterrupted) {
  serve(server_options());  // nothing accepts
  TlsTransport client(client_options());
  expect_interruptible(client, endpoint());
}

TEST_F(TlsTest, TheOldestHandshakeMakesRoomForTheNewest) {
  TlsOptions options = server_options();
  options.handshakes = 4;
  serve(options);
  const Endpoint plain = plain_endpoint();
  std::vector<std::unique_ptr<Stream>> silent;
  for (int i = 0; i < 5; ++i) silent.push_back(TcpTransport().connect(plain, soon(), {}).value());
  accept_waiting();
  EXPECT_EQ(read_text(*silent.front(), 1), "");
  TlsTransport client(client_options());
  EXPECT_TRUE(connect(client));
}

// A client at an address of its own that does not begin its handshake.
class SlowClient {
 public:
  SlowClient(const char* address, std::uint16_t port) {
    sockaddr_in own{}, server{};
    own.sin_family = server.sin_family = AF_INET;
    EXPECT_EQ(::inet_pton(AF_INET, address, &own.sin_addr), 1);
    server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    server.sin_port = htons(port);
    EXPECT_EQ(::bind(socket_, reinterpret_cast<const sockaddr*>(&own), sizeof own), 0) << address;
    EXPECT_EQ(::connect(socket_, reinterpret_cast<const sockaddr*>(&server), sizeof server), 0);
  }
  SlowClient(const SlowClient&) = delete;
  SlowClient& operator=(const SlowClient&) = delete;
  ~SlowClient() { ::close(socket_); }

  bool is_connected() const {
    char octet = 0;
    return ::recv(socket_, &octet, 1, MSG_DONTWAIT) == -1 && errno == EAGAIN;
  }

 private:
  const int socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
};

// Two clients whose handshakes take their time, beside another address that connects again and again. The
// second one comes when there is no room.
TEST_F(TlsTest, AFloodFromOneAddressEndsItsOwnHandshakes) {
  TlsOptions options = server_options();
  options.handshakes = 8;
  serve(options);
  const Endpoint plain = plain_endpoint();
  const SlowClient first("127.0.0.2", plain.port);
  accept_waiting();
  std::vector<std::unique_ptr<Stream>> flood;
  const auto connect_often = [&] {
    for (int i = 0; i < 20; ++i) {
      flood.push_back(TcpTransport().connect(plain, soon(), {}).value());
      accept_waiting();
    }
  };
  connect_often();
  EXPECT_EQ(refusals_.size(), 13u);
  EXPECT_EQ(read_text(*flood.front(), 1), "");
  const SlowClient second("127.0.0.3", plain.port);
  accept_waiting();
  EXPECT_EQ(refusals_.size(), 14u);
  EXPECT_TRUE(first.is_connected());
  connect_often();
  EXPECT_EQ(refusals_.size(), 34u);
  EXPECT_TRUE(first.is_connected());
  EXPECT_TRUE(second.is_connected());
}

// Two addresses that have more than a quarter each, and fewer than half.
TEST_F(TlsTest, FloodsFromSeveralAddressesEndTheirOwnHandshakes) {
  TlsOptions options = server_options();
  options.handshakes = 8;
  serve(options);
  const std::uint16_t port = endpoint().port;
  std::list<SlowClient> honest, flood;
  const auto connect = [&](std::list<SlowClient>& clients, const char* address) {
    clients.emplace_back(address, port);
    accept_waiting();
  };
  connect(honest, "127.0.0.2");
  connect(honest, "127.0.0.3");
  for (int i = 0; i < 3; ++i) {
    connect(flood, "127.0.0.4");
    connect(flood, "127.0.0.5");
  }
  for (const char* address : {"127.0.0.6", "127.0.0.4", "127.0.0.5"}) connect(honest, address);
  EXPECT_EQ(refusals_.size(), 3u);
  EXPECT_TRUE(std::ranges::all_of(honest, &SlowClient::is_connected));
  EXPECT_EQ(std::ranges::count_if(flood, &SlowClient::is_connected), 3);
}

TEST_F(TlsTest, HandshakesLeaveDescriptorsToTheProgram) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit few = before;
  few.rlim_cur = 256;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  serve(server_options());
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  const Endpoint plain = plain_endpoint();
  std::vector<std::unique_ptr<Stream>> silent;
  for (int i = 0; i < 40; ++i) {
    silent.push_back(TcpTransport().connect(plain, soon(), {}).value());
    accept_waiting();
  }
  ASSERT_EQ(refusals_.size(), 8u) << "an eighth of 256 stay";
  expect_in(refused(), "too many others are in their handshakes");
  EXPECT_EQ(read_text(*silent.front(), 1), "");
}

TEST_F(TlsTest, TheOldestHandshakeMakesRoomWhenTheProcessHasNoDescriptorLeft) {
  serve(server_options());
  const Endpoint plain = plain_endpoint();
  std::vector<std::unique_ptr<Stream>> silent;
  for (int i = 0; i < 2; ++i) silent.push_back(TcpTransport().connect(plain, soon(), {}).value());
  accept_waiting();
  silent.push_back(TcpTransport().connect(plain, soon(), {}).value());
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const int free_one = ::dup(0);
  ::close(free_one);
  rlimit none_left = before;
  none_left.rlim_cur = static_cast<rlim_t>(free_one);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none_left), 0);
  accept_waiting();
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(read_text(*silent.front(), 1), "");
  expect_in(refused(), "no descriptor for another connection");
  EXPECT_EQ(refusals_.size(), 1u);
}

}  // namespace
}  // namespace takt::transport
