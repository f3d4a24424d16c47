// Properties of shared memory: two ways to wait on each side, in any order; the memory itself; a failing
// hand-over.
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <future>
#include <random>
#include <string>
#include <thread>

#include "os/net/unix_socket.h"
#include "os/poll/wait.h"
#include "transport/shm/connection_memory.h"
#include "transport/shm/ring.h"
#include "transports.h"

namespace takt::transport {
namespace {

class SharedMemoryTest : public TransportTest {
 protected:
  SharedMemoryTest() : TransportTest(tested::shared_memory) {}
  void start(int ring_bytes) {
    options_.stream.send_buffer_bytes = options_.stream.receive_buffer_bytes = ring_bytes;
    open_one();
  }
};

// Alternates between blocking and polling, as reactors do, independently of the other side.
template <class Move>
IoResult in_some_way(std::mt19937& random, Stream& stream, os::Interest interest, Move move) {
  if (random() % 3 == 0) {
    stream.set_blocking(true);
    return move();
  }
  stream.set_blocking(false);
  for (;;) {
    if (random() % 4 != 0) {
      EXPECT_EQ(os::wait_ready(stream.native_handle(), interest, soon()), os::WaitResult::ready);
    }
    const IoResult result = move();
    if (result.status != IoStatus::would_block) return result;
    if (random() % 2 == 0) continue;
    EXPECT_EQ(os::wait_ready(stream.native_handle(), interest, soon()), os::WaitResult::ready);
  }
}

class Waits : public SharedMemoryTest, public testing::WithParamInterface<int> {};

TEST_P(Waits, InAnyOrderLoseNothing) {
  start(4096);
  const auto sent = pattern(1'500'000);
  std::thread writer([&] {
    std::mt19937 random(static_cast<unsigned>(GetParam()));
    for (std::size_t done = 0; done < sent.size();) {
      const auto size = std::min<std::size_t>(1 + random() % 9000, sent.size() - done);
      const ByteView piece = ByteView(sent).subspan(done, size);
      const IoResult result =
          in_some_way(random, *client_, os::Interest::write, [&] { return client_->write(piece); });
      ASSERT_EQ(result.status, IoStatus::ok);
      done += result.bytes;
      if (random() % 50 == 0) std::this_thread::sleep_for(50us);
    }
  });
  std::mt19937 random(static_cast<unsigned>(GetParam()) + 1000);
  std::vector<std::uint8_t> received(sent.size());
  for (std::size_t done = 0; done < received.size();) {
    const auto size = std::min<std::size_t>(1 + random() % 6000, received.size() - done);
    const MutableBytes space = MutableBytes(received).subspan(done, size);
    const IoResult result =
        in_some_way(random, *server_, os::Interest::read, [&] { return server_->read(space); });
    ASSERT_EQ(result.status, IoStatus::ok);
    done += result.bytes;
    if (random() % 50 == 0) std::this_thread::sleep_for(50us);
  }
  writer.join();
  EXPECT_TRUE(received == sent);
}
INSTANTIATE_TEST_SUITE_P(Seeds, Waits, testing::Range(0, 12));

TEST_F(SharedMemoryTest, ReadyToReadMeansThatThereIsSomething) {
  start(4096);
  server_->set_blocking(false);
  std::uint8_t octet = 0;
  const auto ready = [&] {
    return os::wait_ready(server_->native_handle(), os::Interest::read, os::Clock::now()) ==
           os::WaitResult::ready;
  };
  EXPECT_EQ(server_->read({&octet, 1}).status, IoStatus::would_block);
  for (int round = 0; round < 3; ++round) {
    EXPECT_FALSE(ready());
    client_->write(octets_of("abc"));
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE(ready());
      EXPECT_EQ(server_->read({&octet, 1}).bytes, 1u);
    }
  }
  EXPECT_FALSE(ready());
}

TEST_F(SharedMemoryTest, AFullRingIsNotReadyToWrite) {
  start(4096);
  client_->set_blocking(false);
  const auto octets = pattern(5000);
  const auto ready = [&] {
    return os::wait_ready(client_->native_handle(), os::Interest::write, os::Clock::now()) ==
           os::WaitResult::ready;
  };
  EXPECT_TRUE(ready());
  EXPECT_EQ(client_->write(octets).bytes, 4096u);
  EXPECT_EQ(client_->write(octets).status, IoStatus::would_block);
  EXPECT_FALSE(ready());
  EXPECT_EQ(read_text(*server_, 4096).size(), 4096u);
  server_->set_blocking(false);
  std::uint8_t octet = 0;
  EXPECT_EQ(server_->read({&octet, 1}).status, IoStatus::would_block);
  EXPECT_TRUE(ready());
  EXPECT_EQ(client_->write(octets).bytes, 4096u);
}

TEST_F(SharedMemoryTest, AWriterThatPollsForRoomLosesNothing) {
  options_.stream.busy_poll = 30s;
  start(4096);
  const auto sent = pattern(100'000);
  std::thread writer([&] { EXPECT_EQ(write_all(*client_, sent).bytes, sent.size()); });
  std::vector<std::uint8_t> received(sent.size());
  EXPECT_EQ(read_all(*server_, received).bytes, received.size());
  writer.join();
  EXPECT_TRUE(received == sent);
}

TEST_F(SharedMemoryTest, AWriterThatHasPolledInVainWaitsForRoomAndForTheEnd) {
  options_.stream.busy_poll = 100us;
  start(4096);
  client_->set_timeouts(0ms, 5ms);
  EXPECT_EQ(client_->write(pattern(5000)).bytes, 4096u);
  EXPECT_EQ(client_->write(octets_of("a")).status, IoStatus::timed_out);
  client_->set_timeouts(0ms, 30s);
  server_.reset();
  EXPECT_EQ(client_->write(octets_of("a")).error, EPIPE);
}

TEST_F(SharedMemoryTest, AWriterWithoutRoomIsToldThatItsReaderHasGone) {
  for (const bool waits_already : {false, true}) {
    start(4096);
    client_->set_blocking(false);
    EXPECT_EQ(client_->write(pattern(5000)).bytes, 4096u);
    if (waits_already) {
      EXPECT_EQ(client_->write(octets_of("a")).status, IoStatus::would_block);
    }
    server_.reset();
    for (int i = 0; i < 2; ++i) {
      const IoResult result = client_->write(octets_of("a"));
      EXPECT_EQ(result.status, IoStatus::failed);
      EXPECT_EQ(result.error, EPIPE);
    }
  }
}

// As a server does that still has the end of a reply when it stops.
TEST_F(SharedMemoryTest, AWriterThatWaitedInAPollMayGoOnToBlock) {
  start(4096);
  client_->set_blocking(false);
  const auto octets = pattern(4096);
  EXPECT_EQ(client_->write(octets).bytes, 4096u);
  EXPECT_EQ(client_->write(octets).status, IoStatus::would_block);
  client_->set_blocking(true);
  client_->set_timeouts(0ms, 5ms);
  EXPECT_EQ(client_->write(octets).status, IoStatus::timed_out);
  client_->set_timeouts(0ms, 30s);
  std::thread reader([&] { EXPECT_EQ(read_text(*server_, 8192).size(), 8192u); });
  EXPECT_EQ(write_all(*client_, octets).bytes, octets.size());
  reader.join();
}

TEST_F(SharedMemoryTest, AWriterThatWaitedInAPollAndBlocksIsToldThatItsReaderHasGone) {
  start(4096);
  client_->set_blocking(false);
  EXPECT_EQ(client_->write(pattern(4096)).bytes, 4096u);
  EXPECT_EQ(client_->write(octets_of("a")).status, IoStatus::would_block);
  server_.reset();
  client_->set_blocking(true);
  client_->set_timeouts(0ms, 2s);
  const IoResult result = client_->write(octets_of("a"));
  EXPECT_EQ(result.status, IoStatus::failed);
  EXPECT_EQ(result.error, EPIPE);
}

TEST_F(SharedMemoryTest, ManyPiecesAreSentInOnePart) {
  start(64 * 1024);
  std::vector<ByteView> pieces(2000, octets_of("0123456789"));
  EXPECT_EQ(client_->write_gather(pieces).bytes, 20'000u);
}

// Moves sleepers on words of this process's connections to another word, as a hostile peer can. Returns how
// many there were.
long move_sleepers() {
  long moved = 0;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find("takt-connection") == std::string::npos) continue;
    std::size_t dash = 0;
    auto* const begin = reinterpret_cast<std::uint32_t*>(std::stoul(line, &dash, 16));
    auto* const end = reinterpret_cast<std::uint32_t*>(std::stoul(line.substr(dash + 1), nullptr, 16));
    for (auto* word = begin; word != end; ++word)
      if (std::atomic_ref(*word).load() == RingControl::on_futex)
        moved += ::syscall(SYS_futex, word, FUTEX_REQUEUE, 0, 1, end - 1, 0);
  }
  return moved;
}

TEST_F(SharedMemoryTest, ASleeperThatItsPeerHasMovedToAnotherWordSeesTheEnd) {
  start(4096);
  for (int i = 0; i < 2; ++i) {  // then the reader sleeps on its word
    EXPECT_EQ(client_->write(octets_of("a")).bytes, 1u);
    EXPECT_EQ(read_text(*server_, 1), "a");
  }
  auto reading = std::async(std::launch::async, [&] {
    std::uint8_t octet = 0;
    return server_->read({&octet, 1});
  });
  long moved = 0;
  for (int i = 0; i < 2000 && moved == 0; ++i) {
    std::this_thread::sleep_for(1ms);
    moved = move_sleepers();
  }
  EXPECT_GT(moved, 0);
  client_.reset();
  ASSERT_EQ(reading.wait_for(20s), std::future_status::ready);
  EXPECT_EQ(reading.get().status, IoStatus::end_of_stream);
}

// The peer does not say that it has seen that this side polls.
TEST_F(SharedMemoryTest, OctetsInTheSocketDoNotPutOffATimeout) {
  start(4096);
  client_->set_blocking(false);
  std::uint8_t octet = 0;
  ASSERT_EQ(client_->read({&octet, 1}).status, IoStatus::would_block);
  client_->set_blocking(true);
  client_->set_timeouts(20ms, 0ms);
  std::atomic<bool> ends{false};
  std::thread flood([&, fd = server_->native_handle()] {
    const std::string junk(64, 'x');
    while (!ends) ::send(fd, junk.data(), junk.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  });
  auto reading = std::async(std::launch::async, [&] {
    std::uint8_t one = 0;
    return client_->read({&one, 1});
  });
  EXPECT_EQ(reading.wait_for(10s), std::future_status::ready);
  ends = true;
  flood.join();
  EXPECT_EQ(reading.get().status, IoStatus::timed_out);
}

// A missing or wrong hello, or memory that could be truncated.
class BadHello : public SharedMemoryTest {
 protected:
  // The server's response to the hello; an empty hello: the client has gone.
  IoResult server_says(ByteView hello, int descriptor) {
    auto socket =
        os::connect_unix(os::UnixAddress::parse(acceptor_->local_endpoint().host).value(), soon(), 0, 0);
    if (descriptor >= 0) {
      EXPECT_EQ(os::send_with_descriptor(*socket, hello, descriptor), 0);
    } else if (!hello.empty()) {
      EXPECT_EQ(socket->send(hello).bytes, hello.size());
    }
    acceptor_->set_blocking(true);
    const auto stream = acceptor_->accept().value();
    acceptor_->set_blocking(false);
    stream->set_blocking(false);
    std::uint8_t octet = 0;
    const IoResult result = stream->read({&octet, 1});
    if (hello.empty()) {
      EXPECT_EQ(stream->write({&octet, 1}).status, IoStatus::failed);
    }
    return result;
  }
};

TEST_F(BadHello, IsRefusedAndHoldsUpNobody) {
  const auto good = make_connection_memory({}).value();
  const auto hello = good.hello.encode();
  EXPECT_EQ(server_says(hello, good.descriptor.fd()).status, IoStatus::would_block);
  EXPECT_EQ(server_says({}, -1).status, IoStatus::would_block);
  EXPECT_EQ(server_says(hello, -1).error, EMFILE);
  for (std::size_t size = 1; size < hello.size(); ++size)
    EXPECT_EQ(server_says(ByteView(hello).first(size), good.descriptor.fd()).error, EPROTO) << size;
  for (std::size_t i = 0; i < hello.size(); ++i) {
    auto other = hello;
    other[i] ^= 0x40;
    EXPECT_EQ(server_says(other, good.descriptor.fd()).error, EPROTO) << i;
  }
  const os::Descriptor file(::open("/dev/null", O_RDWR | O_CLOEXEC));
  EXPECT_EQ(server_says(hello, file.fd()).error, EPROTO);
  const os::Descriptor unsealed(::memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  ASSERT_EQ(::ftruncate(unsealed.fd(), static_cast<off_t>(good.hello.memory_bytes())), 0);
  EXPECT_EQ(server_says(hello, unsealed.fd()).error, EPROTO);
  ASSERT_EQ(::fcntl(unsealed.fd(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW), 0);
  EXPECT_EQ(server_says(hello, unsealed.fd()).status, IoStatus::would_block);
  ASSERT_EQ(::fcntl(unsealed.fd(), F_ADD_SEALS, F_SEAL_FUTURE_WRITE), 0);
  EXPECT_EQ(server_says(hello, unsealed.fd()).error, EPERM);
}

}  // namespace
}  // namespace takt::transport
