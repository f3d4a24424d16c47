// Properties of TCP: several addresses, both families, socket options.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <optional>
#include <string>
#include <utility>

#include "os/net/stream_sockets.h"
#include "transport/tcp/tcp_acceptor.h"
#include "transport/tcp/tcp_transport.h"
#include "transports.h"

namespace takt::transport {
namespace {

int option(const Stream& stream, int level, int name) {
  int value = -1;
  socklen_t size = sizeof value;
  EXPECT_EQ(::getsockopt(stream.native_handle(), level, name, &value, &size), 0);
  return value;
}

std::string congestion_control(int fd) {
  char name[16] = "";
  socklen_t size = sizeof name;
  EXPECT_EQ(::getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name, &size), 0);
  return name;
}

// Whether the kernel supports busy polling.
bool may_poll(const Stream& stream) {
  const int time = 20;
  return ::setsockopt(stream.native_handle(), SOL_SOCKET, SO_BUSY_POLL, &time, sizeof time) == 0;
}

os::Address address_of(const Acceptor& acceptor) {
  const Endpoint endpoint = acceptor.local_endpoint();
  return os::Address::parse(endpoint.host, endpoint.port).value();
}

// Listens but never answers, because its backlog is full. Not available on systems where the backlog cannot
// be filled.
struct Silent {
  std::unique_ptr<Acceptor> acceptor;
  std::vector<std::unique_ptr<Stream>> waiting;
};
std::optional<Silent> silent_server() {
  ListenOptions options;
  options.backlog = 1;
  Silent silent{TcpTransport().listen({"iiop", "127.0.0.1", 0}, options).value(), {}};
  TcpTransport connector;
  for (int i = 0; i < 16; ++i) {
    auto stream = connector.connect(silent.acceptor->local_endpoint(), os::Clock::now() + 20ms, {});
    if (!stream) return silent;
    silent.waiting.push_back(std::move(*stream));
  }
  return std::nullopt;
}

}  // namespace

TEST(Tcp, TriesAddressesInOrderUntilOneAnswers) {
  const auto acceptor = TcpTransport().listen({"iiop", "127.0.0.1", 0}, {}).value();
  const auto gone = address_of(*TcpTransport().listen({"iiop", "127.0.0.1", 0}, {}).value());
  const os::Address addresses[] = {gone, address_of(*acceptor)};
  TcpTransport connector;
  const auto stream = connector.connect({"iiop", "two.example", 1}, addresses, soon(), {});
  ASSERT_TRUE(stream) << stream.error().text;
  EXPECT_TRUE((*stream)->describe().ends_with(address_of(*acceptor).text()));
}

TEST(Tcp, AnAddressThatDoesNotAnswerLeavesTimeForTheOthers) {
  const auto silent = silent_server();
  if (!silent) GTEST_SKIP() << "this system lets any number of connections wait";
  const auto acceptor = TcpTransport().listen({"iiop", "127.0.0.1", 0}, {}).value();
  const os::Address addresses[] = {address_of(*silent->acceptor), address_of(*acceptor)};
  TcpTransport connector;
  const auto stream = connector.connect({"iiop", "two.example", 1}, addresses, os::Clock::now() + 2s, {});
  ASSERT_TRUE(stream) << stream.error().text;
}

TEST(Tcp, AnErrorNamesEveryAddressTried) {
  const os::Address first = address_of(*TcpTransport().listen({"iiop", "127.0.0.1", 0}, {}).value());
  const os::Address second = address_of(*TcpTransport().listen({"iiop", "127.0.0.1", 0}, {}).value());
  const os::Address addresses[] = {first, second};
  TcpTransport connector;
  const auto stream = connector.connect({"iiop", "two.example", 1}, addresses, soon(), {});
  ASSERT_FALSE(stream);
  for (const std::string& part : {std::string("iiop two.example:1"), first.text(), second.text()})
    EXPECT_NE(stream.error().text.find(part), std::string::npos) << stream.error().text;
}

TEST(Tcp, NoHostMeansAllInterfacesOfBothFamilies) {
  const auto acceptor = TcpTransport().listen({"iiop", "", 0}, {}).value();
  TcpTransport connector;
  const std::uint16_t port = acceptor->local_endpoint().port;
  EXPECT_TRUE(connector.connect({"iiop", "127.0.0.1", port}, soon(), {}));
  if (acceptor->local_endpoint().host == "::") {
    EXPECT_TRUE(connector.connect({"iiop", "::1", port}, soon(), {}));
  }
}

TEST(Tcp, AHostNameCanBeListenedToAndConnectedTo) {
  const auto acceptor = TcpTransport().listen({"iiop", "localhost", 0}, {}).value();
  TcpTransport connector;
  EXPECT_TRUE(connector.connect({"iiop", "localhost", acceptor->local_endpoint().port}, soon(), {}));
}

TEST(Tcp, AnAddressOfAnotherMachineCannotBeListenedTo) {
  const auto acceptor = TcpTransport().listen({"iiop", "192.0.2.254", 0}, {});
  if (acceptor) GTEST_SKIP() << "this machine has that address";
  EXPECT_EQ(acceptor.error().error, EADDRNOTAVAIL);
  EXPECT_NE(acceptor.error().text.find("not an address of this machine"), std::string::npos)
      << acceptor.error().text;
}

TEST(Tcp, SetsItsOptionsOnBothSides) {
  ListenOptions options;
  options.stream.keep_alive = true;
  options.stream.keep_alive_idle = 31s;
  options.stream.receive_buffer_bytes = 48 * 1024;
  options.stream.send_buffer_bytes = 40 * 1024;
  options.stream.dscp = 46;
  options.stream.priority = 5;
  options.stream.busy_poll = 20us;
  options.stream.dont_route = true;
  const auto acceptor = TcpTransport().listen({"iiop", "127.0.0.1", 0}, options).value();
  TcpTransport connector;
  const auto client = connector.connect(acceptor->local_endpoint(), soon(), options.stream).value();
  acceptor->set_blocking(true);
  const auto server = acceptor->accept().value();
  for (const Stream* stream : {client.get(), server.get()}) {
    EXPECT_NE(option(*stream, IPPROTO_TCP, TCP_NODELAY), 0);
    EXPECT_NE(option(*stream, SOL_SOCKET, SO_KEEPALIVE), 0);
    EXPECT_EQ(option(*stream, IPPROTO_TCP, TCP_KEEPIDLE), 31);
    EXPECT_EQ(option(*stream, SOL_SOCKET, SO_RCVBUF), 2 * 48 * 1024);
    EXPECT_EQ(option(*stream, SOL_SOCKET, SO_SNDBUF), 2 * 40 * 1024);
    EXPECT_EQ(option(*stream, IPPROTO_IP, IP_TOS), 46 << 2);
    EXPECT_EQ(option(*stream, SOL_SOCKET, SO_PRIORITY), 5);
    EXPECT_NE(option(*stream, SOL_SOCKET, SO_DONTROUTE), 0);
    EXPECT_EQ(option(*stream, SOL_SOCKET, SO_BUSY_POLL), may_poll(*stream) ? 20 : 0);
  }
}

TEST(Tcp, WithinThisHostNothingPaces) {
  const auto acceptor = TcpTransport().listen({"iiop", "127.0.0.1", 0}, {}).value();
  const auto client = TcpTransport().connect(acceptor->local_endpoint(), soon(), {}).value();
  acceptor->set_blocking(true);
  const auto server = acceptor->accept().value();
  EXPECT_EQ(congestion_control(client->native_handle()), "reno");
  EXPECT_EQ(congestion_control(server->native_handle()), "reno");
}

TEST(Tcp, ElsewhereTheSystemsCongestionControlStays) {
  const auto control_with = [](const char* peer) {
    auto socket = os::open_stream_socket(os::Address::Family::v4).value();
    socket.set_congestion_control("bbr") || socket.set_congestion_control("cubic");
    const auto before = congestion_control(socket.fd());
    const auto stream = tcp_stream(std::move(socket), os::Address::parse("192.0.2.1", 1).value(),
                                   os::Address::parse(peer, 2).value(), {});
    return std::pair(before, congestion_control(stream->native_handle()));
  };
  const auto [before, elsewhere] = control_with("192.0.2.2");
  if (before == "reno") GTEST_SKIP() << "this system has no other congestion control than Reno";
  EXPECT_EQ(elsewhere, before);
  EXPECT_EQ(control_with("192.0.2.1").second, "reno");
}

TEST(Tcp, TheTrafficClassIsSetForBothFamiliesOfOneListener) {
  ListenOptions options;
  options.stream.dscp = 34;
  TcpTransport transport;
  const auto acceptor = transport.listen({"iiop", "", 0}, options).value();
  if (acceptor->local_endpoint().host != "::") GTEST_SKIP() << "this system has no IPv6";
  acceptor->set_blocking(true);
  for (const char* host : {"127.0.0.1", "::1"}) {
    const auto client =
        transport.connect({"iiop", host, acceptor->local_endpoint().port}, soon(), options.stream);
    ASSERT_TRUE(client) << client.error().text;
    const auto server = acceptor->accept().value();
    EXPECT_EQ(option(*server, IPPROTO_IP, IP_TOS), 34 << 2);
    EXPECT_EQ(option(*server, IPPROTO_IPV6, IPV6_TCLASS), 34 << 2);
  }
}

}  // namespace takt::transport
