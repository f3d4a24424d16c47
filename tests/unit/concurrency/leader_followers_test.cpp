// Pools whose threads come and go, served over pairs of connected sockets.
#include "concurrency/strategy/leader_followers.h"

#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <deque>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "../rooms/rooms.h"
#include "giop/message/request.h"
#include "threads/locks/semaphore.h"
#include "transport/socket_stream.h"

namespace takt::server {
namespace {

using namespace std::chrono_literals;

// Holds "hold" until it is let go.
class Holding final : public Dispatcher {
 public:
  void dispatch(ServerCall& call) noexcept override {
    if (call.operation() == "hold") {
      held.release();
      if (!let_go.acquire_within(10s)) ADD_FAILURE() << "nobody lets it go";
    }
    call.begin_reply();
  }
  reference::LocateAnswer locate(ByteView) noexcept override { return {}; }
  reference::LocalAnswer call_local(const OperationId&, void*, const ByteView&) override {
    return reference::LocalAnswer::by_wire;
  }
  os::Semaphore held, let_go;
};

class PairAcceptor final : public transport::Acceptor {
 public:
  PairAcceptor() : handle_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}
  ~PairAcceptor() override { ::close(handle_); }
  transport::AcceptResult accept() override {
    if (waiting_.empty()) {
      std::uint64_t none = 0;
      static_cast<void>(::read(handle_, &none, sizeof none));  // it is not ready any more
      return std::unexpected(transport::AcceptError::would_block);
    }
    auto first = std::move(waiting_.front());
    waiting_.pop_front();
    return first;
  }
  void set_blocking(bool) override {}
  int native_handle() const override { return handle_; }
  transport::Endpoint local_endpoint() const override { return {}; }
  void close() override {}

  // The client's end of a connection that will be accepted. Call before the acceptor is used.
  os::Socket connect() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    waiting_.push_back(std::make_unique<transport::SocketStream>(
        os::Socket(ends[0]), transport::SocketStream::Facts{.ends = {"pair", "server", "client"}}));
    EXPECT_EQ(::eventfd_write(handle_, 1), 0);
    return os::Socket(ends[1]);
  }

 private:
  const int handle_;
  std::deque<std::unique_ptr<transport::Stream>> waiting_;
};

class LeaderFollowersTest : public ::testing::Test {
 protected:
  LeaderFollowersTest() { rooms->server.dispatcher = &dispatcher; }

  std::unique_ptr<LeaderFollowers> pool(unsigned standing, unsigned added) {
    auto made = std::make_unique<LeaderFollowers>(
        std::shared_ptr<Server>(rooms, &rooms->server), PollAndStreams{std::move(*os::SharedPoll::create())},
        PoolThreads{
            .standing = standing, .added = added, .patience = patience, .begin = [this] { ++begun; }});
    made->add(std::move(acceptor), giop::Messaging::giop);
    return made;
  }
  static void send(os::Socket& socket, std::string_view operation) {
    GatherBuffer buffer;
    cdr::Encoder encoder(buffer);
    const std::uint8_t key[] = {1, 2, 3};
    giop::write_request(
        encoder, giop::PreparedTarget::for_key({1, 2}, key),
        {.request_id = 2, .response_flags = giop::response_from_target, .operation = operation});
    giop::finish_message(buffer);
    ASSERT_EQ(socket.send({buffer.owned(), buffer.owned_size()}).status, os::IoStatus::ok);
  }
  // Whether a reply comes in time.
  static bool receive(const os::Socket& socket) {
    const timeval time{.tv_sec = 5, .tv_usec = 0};
    ::setsockopt(socket.fd(), SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
    std::array<std::uint8_t, 256> octets{};
    return ::recv(socket.fd(), octets.data(), octets.size(), 0) > 12;
  }

  static constexpr std::chrono::milliseconds patience{20};
  std::atomic<unsigned> begun{0};
  Holding dispatcher;
  std::shared_ptr<rooms::Rooms> rooms = rooms::Rooms::make();
  std::unique_ptr<PairAcceptor> acceptor = std::make_unique<PairAcceptor>();
};

TEST_F(LeaderFollowersTest, TheLastDynamicThreadStaysWhileAllOthersAreBusy) {
  auto busy = acceptor->connect(), other = acceptor->connect();
  const auto threads = pool(1, 1);
  send(busy, "hold");
  ASSERT_TRUE(dispatcher.held.acquire_within(5s));
  for (int i = 0; i < 3; ++i) {
    std::this_thread::sleep_for(2 * patience);
    send(other, "serve");
    EXPECT_TRUE(receive(other)) << "no thread waits, although one more is allowed";
  }
  dispatcher.let_go.release();
  EXPECT_TRUE(receive(busy));
}

TEST_F(LeaderFollowersTest, NoThreadIsAddedWhileOneIsIdle) {
  const auto threads = pool(1, 1);
  std::this_thread::sleep_for(sweep_interval + 100ms);
  EXPECT_EQ(begun, 1u);
}

}  // namespace
}  // namespace takt::server
