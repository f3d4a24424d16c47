// Streams of io_uring without memory.
#ifdef TAKT_HAS_LIBURING
#include "uring/uring_stream.h"

#include <cerrno>

#include "allocations.h"
#include "reactors.h"
#include "transport/socket_stream.h"
#include "uring/uring_reactor.h"

namespace takt::uring {
namespace {

using os::only_look;
using os::Pair;
using transport::IoStatus;

struct UringStreams : testing::Test {
  UringStreams() {
    if (auto made = UringReactor::create()) reactor = std::move(*made);
  }
  void SetUp() override {
    if (!reactor) GTEST_SKIP() << "the kernel refuses";
    adopted = reactor->adopt(std::make_unique<transport::SocketStream>(
        os::Socket(::dup(pair.near)), transport::SocketStream::Facts{{"unix", "near", "far"}}));
    stream = dynamic_cast<UringStream*>(adopted.get());
    ASSERT_TRUE(stream);
    stream->set_blocking(false);
    ASSERT_TRUE(reactor->add(stream->native_handle(), os::Interest::read, &handler));
    reactor->run_once(only_look);  // makes the ring
    ASSERT_TRUE(reactor->ring());
  }
  // Octets have come in as many buffers, from the ring's buffer `from` on.
  void receive(unsigned from, unsigned count) const {
    for (unsigned id = from; id < from + count; ++id) stream->received(id, 10);
  }
  std::size_t octets_until(IoStatus end) const {
    std::size_t octets = 0;
    std::uint8_t into[Ring::buffer_bytes];
    for (;;) {
      const auto result = stream->read(into);
      octets += result.bytes;
      if (result.status == IoStatus::ok) continue;
      EXPECT_EQ(result.status, end);
      return octets;
    }
  }

  Pair pair;
  os::Recorder handler;
  std::unique_ptr<UringReactor> reactor;
  std::unique_ptr<transport::Stream> adopted;
  UringStream* stream = nullptr;
};

TEST_F(UringStreams, HaveNoGapWhereThereWasNoMemory) {
  receive(0, 8);
  {
    const NoAllocations none;
    receive(8, 1);
  }
  receive(9, 1);
  stream->ended(0);
  EXPECT_EQ(octets_until(IoStatus::failed), 80u);
}

TEST_F(UringStreams, FailIfThereIsNoMemoryToLeaveTheRing) {
  receive(0, 3);
  {
    const NoAllocations none;
    stream->leave_ring();
  }
  EXPECT_EQ(octets_until(IoStatus::failed), 0u);
}

TEST_F(UringStreams, FailIfThereIsNoMemoryForTheRestOfAMessage) {
  const std::uint8_t rest[100]{};
  {
    const NoAllocations none;
    stream->keep_rest(rest);
  }
  EXPECT_EQ(octets_until(IoStatus::failed), 0u);
  char octet = 0;
  EXPECT_EQ(::recv(pair.far, &octet, 1, 0), 0) << "and the peer is told";
}

}  // namespace
}  // namespace takt::uring
#endif
