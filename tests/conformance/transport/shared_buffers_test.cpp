// Data sent over shared memory without passing through the ring.
#include <algorithm>
#include <array>
#include <random>
#include <thread>

#include "os/poll/wait.h"
#include "transport/shm/connection_memory.h"
#include "transports.h"

namespace takt::transport {
namespace {

class SharedBuffers : public TransportTest {
 protected:
  SharedBuffers() : TransportTest(tested::shared_memory) {}
  void start(int ring_bytes = 64 * 1024, int lent_bytes = 1 << 20) {
    options_.stream.send_buffer_bytes = options_.stream.receive_buffer_bytes = ring_bytes;
    options_.stream.lent_bytes = lent_bytes;
    open_one();
    EXPECT_TRUE(server_->write(octets_of("!")).bytes == 1);  // hands the memory over
  }
  OctetBuffer filled(std::size_t bytes) {
    OctetBuffer buffer = client_->borrow(bytes);
    const auto octets = pattern(buffer.size());
    std::ranges::copy(octets, buffer.begin());
    return buffer;
  }
  void send(const char* head, ByteView octets) {
    const ByteView pieces[] = {octets_of(head), octets, octets_of("tail")};
    EXPECT_EQ(client_->write_gather(pieces).bytes, std::string_view(head).size() + octets.size() + 4);
  }
};

bool equal(std::span<const std::uint8_t> octets, const std::vector<std::uint8_t>& others) {
  return std::ranges::equal(octets, others);
}

TEST_F(SharedBuffers, AreReadWhereTheyWereWritten) {
  start();
  OctetBuffer buffer = filled(300'000);
  ASSERT_EQ(buffer.size(), 300'000u);
  EXPECT_FALSE(buffer.is_shared());
  send("head", buffer);
  EXPECT_TRUE(buffer.is_shared());
  EXPECT_EQ(server_->available_in_place(), 0u);
  EXPECT_TRUE(server_->read_in_place(300'000).empty()) << "the head comes first";
  EXPECT_EQ(read_text(*server_, 4), "head");
  EXPECT_EQ(server_->available_in_place(), 300'004u);
  EXPECT_TRUE(server_->read_in_place(299'999).empty()) << "not all of it";
  HeldOctets held = server_->read_in_place(300'000);
  EXPECT_TRUE(equal(held, pattern(300'000)));
  EXPECT_EQ(read_text(*server_, 4), "tail");
  buffer[7] = 99;
  EXPECT_EQ(held[7], 99);
  held.release();
  EXPECT_FALSE(buffer.is_shared());
}

TEST_F(SharedBuffers, AreReadAsAnythingElseByWhoDoesNotAskForThem) {
  start();
  const OctetBuffer buffer = filled(300'000);
  send("head", buffer);
  send("more", ByteView(buffer).subspan(1000, 5000));
  std::vector<std::uint8_t> received(4 + 300'000 + 4 + 4 + 5000 + 4);
  for (std::size_t done = 0; done < received.size();) {
    const IoResult result = server_->read(
        MutableBytes(received).subspan(done, std::min<std::size_t>(9'999, received.size() - done)));
    ASSERT_EQ(result.status, IoStatus::ok);
    done += result.bytes;
  }
  const auto octets = pattern(300'000);
  EXPECT_TRUE(equal(ByteView(received).subspan(4, 300'000), octets));
  EXPECT_TRUE(
      std::ranges::equal(ByteView(received).subspan(300'012, 5000), ByteView(octets).subspan(1000, 5000)));
  EXPECT_FALSE(buffer.is_shared());
}

TEST_F(SharedBuffers, AreThereAgainOnceTheyWereGivenBackAndRead) {
  start();
  for (int round = 0; round < 50; ++round) {
    const OctetBuffer buffer = filled(700'000);
    ASSERT_FALSE(buffer.empty()) << round;
    send("", buffer);
    EXPECT_FALSE(server_->read_in_place(700'000).empty());
    EXPECT_EQ(read_text(*server_, 4), "tail");
  }
}

TEST_F(SharedBuffers, ThatAreHeldAreNotLentAgain) {
  start();
  std::vector<HeldOctets> held;
  while (true) {
    const OctetBuffer buffer = filled(100'000);
    if (buffer.empty()) break;
    send("", buffer);
    held.push_back(server_->read_in_place(100'000));
    ASSERT_FALSE(held.back().empty());
    EXPECT_EQ(read_text(*server_, 4), "tail");
  }
  EXPECT_EQ(held.size(), 10u);
  for (const HeldOctets& octets : held) EXPECT_TRUE(equal(octets, pattern(100'000)));
  held.erase(held.begin() + 3, held.begin() + 6);
  EXPECT_TRUE(client_->borrow(400'000).empty());
  const OctetBuffer in_the_gap = filled(300'000);
  EXPECT_FALSE(in_the_gap.empty());
  for (const HeldOctets& octets : held) EXPECT_TRUE(equal(octets, pattern(100'000)));
}

TEST_F(SharedBuffers, AreAsManyAsSixtyFour) {
  start();
  std::vector<OctetBuffer> buffers;
  for (int i = 0; i < 64; ++i) buffers.push_back(client_->borrow(1));
  EXPECT_FALSE(buffers.back().empty());
  EXPECT_TRUE(client_->borrow(1).empty());
  buffers.erase(buffers.begin() + 5);
  EXPECT_FALSE(client_->borrow(1).empty());
  EXPECT_TRUE(client_->borrow(0).empty());
}

// Data without room in the list passes through the ring.
TEST_F(SharedBuffers, AreSentMoreOftenThanTheListIsLong) {
  start();
  const OctetBuffer buffer = filled(300);
  for (int i = 0; i < 100; ++i) send("", ByteView(buffer).first(200 + static_cast<std::size_t>(i)));
  for (int i = 0; i < 100; ++i) {
    const std::size_t count = 200 + static_cast<std::size_t>(i);
    EXPECT_EQ(server_->read_in_place(count).empty(), i >= 64);
    if (i >= 64) {
      EXPECT_EQ(read_text(*server_, count).size(), count);
    }
    EXPECT_EQ(read_text(*server_, 4), "tail");
  }
  EXPECT_FALSE(buffer.is_shared());
}

TEST_F(SharedBuffers, OutliveTheirConnection) {
  start();
  OctetBuffer buffer = filled(300'000);
  send("", buffer);
  HeldOctets held = server_->read_in_place(300'000);
  client_.reset();
  EXPECT_EQ(read_text(*server_, 4), "tail");
  EXPECT_EQ(server_->read_in_place(1).size(), 0u);
  server_.reset();
  EXPECT_TRUE(equal(held, pattern(300'000)));
  EXPECT_TRUE(buffer.is_shared());
  buffer = {};
  EXPECT_TRUE(equal(held, pattern(300'000)));
}

TEST_F(SharedBuffers, MakeTheSocketReadyUntilTheyAreRead) {
  start();
  server_->set_blocking(false);
  std::uint8_t octet = 0;
  const auto ready = [&] {
    return os::wait_ready(server_->native_handle(), os::Interest::read, os::Clock::now()) ==
           os::WaitResult::ready;
  };
  EXPECT_EQ(server_->read({&octet, 1}).status, IoStatus::would_block);
  const OctetBuffer buffer = filled(100'000);
  for (int round = 0; round < 3; ++round) {
    EXPECT_FALSE(ready());
    EXPECT_EQ(client_->write_gather(std::array{ByteView(buffer)}).bytes, buffer.size());
    EXPECT_TRUE(ready());
    EXPECT_EQ(server_->read({&octet, 1}).bytes, 1u);
    EXPECT_TRUE(ready());
    EXPECT_EQ(server_->read_in_place(99'999).size(), 99'999u);
    EXPECT_EQ(server_->read({&octet, 1}).status, IoStatus::would_block);
  }
}

TEST_F(SharedBuffers, AreNoneIfNoneAreWanted) {
  start(4096, 0);
  EXPECT_TRUE(client_->borrow(1).empty());
  EXPECT_TRUE(server_->borrow(1).empty());
}

class Mixed : public SharedBuffers, public testing::WithParamInterface<unsigned> {};

// Through the ring, beside it, and from a buffer that was sent before; read in every way.
TEST_P(Mixed, WaysLoseNothing) {
  start(4096);
  constexpr std::size_t all = 3'000'000;
  const auto sent = pattern(all);
  std::thread writer([&] {
    std::mt19937 random(GetParam());
    for (std::size_t done = 0; done < all;) {
      const auto size = std::min<std::size_t>(1 + random() % 60'000, all - done);
      const ByteView octets = ByteView(sent).subspan(done, size);
      OctetBuffer buffer = random() % 3 != 0 ? client_->borrow(size) : OctetBuffer();
      if (!buffer.empty()) std::ranges::copy(octets, buffer.begin());
      ByteView rest = buffer.empty() ? octets : ByteView(buffer);
      while (!rest.empty()) {
        const std::size_t first = random() % (rest.size() + 1);
        const IoResult result = client_->write_gather(std::array{rest.first(first), rest.subspan(first)});
        ASSERT_EQ(result.status, IoStatus::ok);
        rest = rest.subspan(result.bytes);
        done += result.bytes;
      }
    }
  });
  std::mt19937 random(GetParam() + 1000);
  std::vector<std::uint8_t> space(60'000);
  std::size_t done = 0;
  for (std::size_t looks = 0; done < all; ++looks) {
    const std::size_t size = 1 + random() % 9'000;
    const HeldOctets held = looks % 2 ? server_->read_in_place(size) : HeldOctets();
    ByteView got = held;
    if (held.empty()) {
      const IoResult result = server_->read(MutableBytes(space).first(std::min(size, all - done)));
      ASSERT_EQ(result.status, IoStatus::ok);
      got = ByteView(space).first(result.bytes);
    }
    ASSERT_TRUE(std::ranges::equal(got, ByteView(sent).subspan(done, got.size()))) << done;
    done += got.size();
  }
  writer.join();
}
INSTANTIATE_TEST_SUITE_P(Seeds, Mixed, testing::Range(0u, 8u));

}  // namespace
}  // namespace takt::transport
