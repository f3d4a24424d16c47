// Writes of streams over others whose peer takes few octets at a time.
#include <algorithm>
#include <numeric>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "../rooms/memory_stream.h"
#include "transport/layered_stream.h"

namespace takt::transport {
namespace {

using namespace std::chrono_literals;

constexpr auto time_of_a_sip = 3ms;

// Takes `sip` octets at a time, and 3 ms for them; 0: waits as long for none.
class SippingStream final : public rooms::MemoryStream {
 public:
  SippingStream(rooms::Wire& wire, std::size_t& sip, int& writes)
      : rooms::MemoryStream(wire), sip_(sip), writes_(writes) {}
  IoResult write(ByteView octets) override {
    ++writes_;
    if (sip_ != SIZE_MAX) std::this_thread::sleep_for(time_of_a_sip);
    if (sip_ == 0) return {0, IoStatus::timed_out, 0};
    return rooms::MemoryStream::write(octets.first(std::min(sip_, octets.size())));
  }

 private:
  std::size_t& sip_;
  int& writes_;
};

// Puts two zeros before the octets of each write.
class PaddingStream final : public LayeredStream {
 public:
  explicit PaddingStream(std::unique_ptr<Stream> inner) : LayeredStream(std::move(inner)) {}
  IoResult write_gather(std::span<const ByteView> pieces) override {
    if (const auto result = begin_write(size_of(pieces))) return *result;
    kept().assign(2, 0);
    for (const ByteView piece : pieces) kept().insert(kept().end(), piece.begin(), piece.end());
    return written(size_of(pieces), send_kept());
  }
  std::string describe() const override { return "padding"; }

 private:
  MutableBytes input_space() override { return {}; }
  void input_arrived(std::size_t) override {}
  std::optional<IoResult> converted(MutableBytes) override { return std::nullopt; }
};

struct LayeredWrites : testing::Test {
  LayeredWrites() { std::iota(octets.begin(), octets.end(), std::uint8_t{1}); }
  // The octets that arrived, without the padding of the one write.
  std::vector<std::uint8_t> arrived() const { return {wire.outgoing.begin() + 2, wire.outgoing.end()}; }

  rooms::Wire wire;
  std::size_t sip = 5;
  int writes = 0;
  std::vector<std::uint8_t> octets = std::vector<std::uint8_t>(200);
  PaddingStream stream{std::make_unique<SippingStream>(wire, sip, writes)};
};

TEST_F(LayeredWrites, LastNoLongerThanTheirTimeoutWithAPeerThatSips) {
  stream.set_write_timeout(4 * time_of_a_sip);
  const IoResult result = stream.write(octets);
  EXPECT_LE(writes, 4);
  EXPECT_EQ(result.status, IoStatus::ok);
  EXPECT_GE(result.bytes, 1u) << "the peer has taken octets, so this is no silence";
  EXPECT_LE(result.bytes, wire.outgoing.size()) << "nothing counts as moved that the peer has not taken";
}

TEST_F(LayeredWrites, ContinueWithWhatDidNotCountAsMoved) {
  stream.set_write_timeout(2 * time_of_a_sip);
  std::size_t moved = 0;
  while (moved < octets.size()) {
    const IoResult result = stream.write(ByteView(octets).subspan(moved));
    ASSERT_EQ(result.status, IoStatus::ok);
    moved += result.bytes;
  }
  EXPECT_EQ(arrived(), octets);
  EXPECT_EQ(stream.write(ByteView(octets).first(1)).bytes, 1u) << "and the next begins anew";
}

TEST_F(LayeredWrites, SayThatTheyHaveBegunAlthoughThePeerTakesNothing) {
  stream.set_write_timeout(time_of_a_sip);
  sip = 0;
  EXPECT_EQ(stream.write(octets).bytes, 1u) << "what was converted cannot be taken back";
  EXPECT_EQ(stream.write(ByteView(octets).subspan(1)).status, IoStatus::timed_out);
  sip = SIZE_MAX;
  EXPECT_EQ(stream.write(ByteView(octets).subspan(1)).bytes, octets.size() - 1);
  EXPECT_EQ(arrived(), octets);
}

TEST_F(LayeredWrites, ThatFindNoRoomHaveMovedAllButTheLastOctet) {
  stream.set_blocking(false);
  sip = SIZE_MAX;
  wire.write_limit = 3;
  EXPECT_EQ(stream.write(octets).bytes, octets.size() - 1);
  EXPECT_EQ(stream.write(ByteView(octets).last(1)).status, IoStatus::would_block);
  wire.write_limit = SIZE_MAX;
  EXPECT_EQ(stream.write(ByteView(octets).last(1)).bytes, 1u);
  EXPECT_EQ(arrived(), octets);
}

TEST_F(LayeredWrites, ContinueInSmallerPartsThanWereConverted) {
  stream.set_write_timeout(time_of_a_sip);
  sip = 0;
  std::size_t moved = stream.write(octets).bytes;
  sip = SIZE_MAX;
  while (moved < octets.size())
    moved += stream
                 .write(ByteView(octets).subspan(moved).first(
                     7 < octets.size() - moved ? 7 : octets.size() - moved))
                 .bytes;
  EXPECT_EQ(arrived(), octets);
}

}  // namespace
}  // namespace takt::transport
