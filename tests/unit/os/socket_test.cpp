#include "os/net/socket.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

#include <array>

#include "os/error_text.h"
#include "os/net/stream_sockets.h"
#include "os/reserve_descriptor.h"

namespace takt::os {
namespace {

int option(const Socket& socket, int level, int name) {
  int value = -1;
  socklen_t size = sizeof value;
  EXPECT_EQ(::getsockopt(socket.fd(), level, name, &value, &size), 0);
  return value;
}

bool is_descriptor(int fd) { return ::fcntl(fd, F_GETFD) >= 0; }

std::array<Socket, 2> a_pair() {
  int ends[2] = {-1, -1};
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  return {Socket(ends[0]), Socket(ends[1])};
}

}  // namespace

TEST(Socket, OwnsItsDescriptor) {
  int number;
  {
    auto pair = a_pair();
    number = pair[0].fd();
    Socket moved = std::move(pair[0]);
    EXPECT_FALSE(pair[0].is_open());
    EXPECT_EQ(moved.fd(), number);
    EXPECT_TRUE(is_descriptor(number));
  }
  EXPECT_FALSE(is_descriptor(number));
}

TEST(Socket, SetsWhatItIsTold) {
  Socket socket = std::move(open_stream_socket(Address::Family::v4).value());
  EXPECT_TRUE(socket.set_no_delay(true));
  EXPECT_NE(option(socket, IPPROTO_TCP, TCP_NODELAY), 0);
  EXPECT_TRUE(socket.set_keep_alive(std::chrono::seconds(33), std::chrono::seconds(7), 4));
  EXPECT_NE(option(socket, SOL_SOCKET, SO_KEEPALIVE), 0);
  EXPECT_EQ(option(socket, IPPROTO_TCP, TCP_KEEPIDLE), 33);
  EXPECT_EQ(option(socket, IPPROTO_TCP, TCP_KEEPINTVL), 7);
  EXPECT_EQ(option(socket, IPPROTO_TCP, TCP_KEEPCNT), 4);
  EXPECT_TRUE(socket.set_receive_buffer_bytes(64 * 1024));
  EXPECT_GE(option(socket, SOL_SOCKET, SO_RCVBUF), 64 * 1024);
  EXPECT_TRUE(socket.set_congestion_control("reno"));
  EXPECT_FALSE(socket.set_congestion_control("none such"));
}

TEST(Socket, ATimeoutIsNeverRoundedToNone) {
  auto pair = a_pair();
  ASSERT_TRUE(pair[0].set_receive_timeout(std::chrono::nanoseconds(1)));
  std::uint8_t octet;
  EXPECT_EQ(pair[0].receive({&octet, 1}).status, IoStatus::timed_out);
  ASSERT_TRUE(pair[0].set_receive_timeout(std::chrono::nanoseconds(999'999'999)));
  timeval set{};
  socklen_t size = sizeof set;
  ASSERT_EQ(::getsockopt(pair[0].fd(), SOL_SOCKET, SO_RCVTIMEO, &set, &size), 0);
  EXPECT_GE(set.tv_sec, 1);
}

TEST(Socket, BlocksOnlyWhenToldTo) {
  auto pair = a_pair();
  std::uint8_t octet;
  ASSERT_TRUE(pair[0].set_blocking(false));
  EXPECT_EQ(pair[0].receive({&octet, 1}).status, IoStatus::would_block);
  ASSERT_TRUE(pair[0].set_blocking(true));
  EXPECT_EQ(::fcntl(pair[0].fd(), F_GETFL) & O_NONBLOCK, 0);
}

TEST(Socket, DescriptorsAreClosedOnExec) {
  const Socket socket = std::move(open_stream_socket(Address::Family::v4).value());
  EXPECT_NE(::fcntl(socket.fd(), F_GETFD) & FD_CLOEXEC, 0);
}

TEST(ReserveDescriptor, IsGivenUpAndTakenAgain) {
  ReserveDescriptor reserve;
  EXPECT_TRUE(reserve.held());
  reserve.give_up();
  EXPECT_FALSE(reserve.held());
  reserve.take();
  EXPECT_TRUE(reserve.held());
}

TEST(ErrorText, HasTheWordsAndTheName) {
  EXPECT_EQ(error_text(ECONNREFUSED), "connection refused (ECONNREFUSED)");
  EXPECT_EQ(error_text(123456), "error 123456");
}

}  // namespace takt::os
