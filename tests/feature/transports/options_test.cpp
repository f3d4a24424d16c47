// The effect of options on the sockets of both sides.
#include "served.h"

namespace feature {
namespace {

TEST(SocketOptions, HoldForClientsAndServers) {
  const std::vector<std::string> options{"-ORBSendBuffer",     "40KiB", "-ORBReceiveBuffer", "48KiB",
                                         "-ORBKeepAlive",      "31s",   "-ORBTrafficClass",  "46",
                                         "-ORBSocketPriority", "5"};
  const Served served("iiop://127.0.0.1:0", options, options);
  served.echo_in(served.root)->nothing();
  int seen = 0;
  for (const OpenSocket& socket : open_sockets()) {
    if (socket.family != AF_INET) continue;
    ++seen;
    EXPECT_EQ(socket.option(SOL_SOCKET, SO_SNDBUF), 2 * 40 * 1024);
    EXPECT_EQ(socket.option(SOL_SOCKET, SO_RCVBUF), 2 * 48 * 1024);
    EXPECT_NE(socket.option(SOL_SOCKET, SO_KEEPALIVE), 0);
    EXPECT_EQ(socket.option(IPPROTO_TCP, TCP_KEEPIDLE), 31);
    EXPECT_EQ(socket.option(IPPROTO_IP, IP_TOS), 46 << 2);
    EXPECT_EQ(socket.option(SOL_SOCKET, SO_PRIORITY), 5);
    EXPECT_NE(socket.option(IPPROTO_TCP, TCP_NODELAY), 0);
  }
  EXPECT_EQ(seen, 2);
}

TEST(SocketOptions, WithoutThemTheSystemDecides) {
  const Served served("iiop://127.0.0.1:0");
  served.echo_in(served.root)->nothing();
  for (const OpenSocket& socket : open_sockets()) {
    if (socket.family != AF_INET) continue;
    EXPECT_EQ(socket.option(SOL_SOCKET, SO_KEEPALIVE), 0);
    EXPECT_EQ(socket.option(IPPROTO_IP, IP_TOS), 0);
    EXPECT_EQ(socket.option(SOL_SOCKET, SO_PRIORITY), 0);
  }
}

TEST(SocketOptions, BuffersOfUnixDomainSockets) {
  const std::vector<std::string> options{"-ORBSendBuffer", "40KiB"};
  const Served served("unix:", options, options);
  served.echo_in(served.root)->nothing();
  for (const OpenSocket& socket : open_sockets())
    if (socket.family == AF_UNIX) {
      EXPECT_EQ(socket.option(SOL_SOCKET, SO_SNDBUF), 2 * 40 * 1024);
    }
}

}  // namespace
}  // namespace feature
