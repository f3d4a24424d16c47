// Handshakes of TLS: one blocks nothing else, and there is a limit to those that a listener has.
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tls_fixture.h"
#include "transport/tcp/tcp_transport.h"

namespace takt::transport {
namespace {

TEST_F(TlsTest, NobodyWaitsForAPeerThatSaysNothing) {
  TlsOptions options = server_options();
  options.handshake_time = 1s;  // a handshake that proceeds is done by then
  serve(options);
  Endpoint plain = endpoint();
  plain.protocol = "iiop";
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

TEST_F(TlsTest, TheOldestHandshakeMakesRoomForTheNewest) {
  TlsOptions options = server_options();
  options.handshakes = 4;
  serve(options);
  Endpoint plain = endpoint();
  plain.protocol = "iiop";
  std::vector<std::unique_ptr<Stream>> silent;
  for (int i = 0; i < 5; ++i) silent.push_back(TcpTransport().connect(plain, soon(), {}).value());
  accept_waiting();
  EXPECT_EQ(read_text(*silent.front(), 1), "");
  TlsTransport client(client_options());
  EXPECT_TRUE(connect(client));
}

// A client whose handshake takes its time, beside another address that connects again and again.
TEST_F(TlsTest, AFloodFromOneAddressEndsItsOwnHandshakes) {
  TlsOptions options = server_options();
  options.handshakes = 8;
  serve(options);
  Endpoint plain = endpoint();
  plain.protocol = "iiop";
  const int slow = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in own{}, server{};
  own.sin_family = server.sin_family = AF_INET;
  own.sin_addr.s_addr = htonl(0x7f000002);
  server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  server.sin_port = htons(plain.port);
  ASSERT_EQ(::bind(slow, reinterpret_cast<const sockaddr*>(&own), sizeof own), 0);
  ASSERT_EQ(::connect(slow, reinterpret_cast<const sockaddr*>(&server), sizeof server), 0);
  accept_waiting();
  std::vector<std::unique_ptr<Stream>> flood;
  for (int i = 0; i < 20; ++i) {
    flood.push_back(TcpTransport().connect(plain, soon(), {}).value());
    accept_waiting();
  }
  EXPECT_EQ(refusals_.size(), 13u);
  EXPECT_EQ(read_text(*flood.front(), 1), "");
  char octet = 0;
  EXPECT_EQ(::recv(slow, &octet, 1, MSG_DONTWAIT), -1) << "it is still there";
  ::close(slow);
}

TEST_F(TlsTest, HandshakesLeaveDescriptorsToTheProgram) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit few = before;
  few.rlim_cur = 256;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  serve(server_options());
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  Endpoint plain = endpoint();
  plain.protocol = "iiop";
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
  Endpoint plain = endpoint();
  plain.protocol = "iiop";
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
