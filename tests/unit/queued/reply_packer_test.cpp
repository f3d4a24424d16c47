// Messages of several threads on one connection with compression, simulated by nesting one inside another.
#include "queued/reply_packer.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "giop/compression/unpack.h"
#include "giop/compression/zlib_method.h"
#include "giop/message/reply.h"

namespace takt::server {
namespace {

using namespace giop::compression;

constexpr std::uint16_t own_expansion = 100;
constexpr Wanted wanted{50, zlib_number};
const MethodList methods = default_methods();
constexpr std::size_t threshold = 1024;

void write_reply_to(GatherBuffer& buffer, std::uint32_t id, std::size_t body_bytes) {
  buffer.clear();
  cdr::Encoder out(buffer);
  giop::write_reply(out, {1, 2}, {.request_id = id, .has_body = body_bytes != 0});
  for (std::size_t i = 0; i < body_bytes; ++i) out.put(static_cast<std::uint8_t>(id + i % 50));
}

std::vector<std::uint8_t> octets_of(const GatherBuffer& buffer) {
  std::vector<ByteView> pieces;
  buffer.gather(pieces);
  std::vector<std::uint8_t> all;
  for (const ByteView piece : pieces) all.insert(all.end(), piece.begin(), piece.end());
  return all;
}

bool is_packed(const GatherBuffer& message) { return *message.owned() == mark; }

std::vector<std::uint8_t> inside_of(const GatherBuffer& packed) {
  std::vector<std::uint8_t> inflated;
  giop::MessageHeader header;
  EXPECT_EQ(giop::compression::read_header(packed.owned(), methods, header), giop::HeaderError::none);
  const auto all = octets_of(packed);
  const auto inside = unpack(header, all, {1 << 24, own_expansion}, methods, inflated);
  EXPECT_TRUE(inside) << inside.error();
  return inside ? std::vector<std::uint8_t>(inside->begin(), inside->end()) : std::vector<std::uint8_t>();
}

struct ReplyPackerTest : ::testing::Test {
  ReplyPacker packer;
  GatherBuffer first{512}, second{512};

  void agree() { packer.agree({.threshold_bytes = threshold}, own_expansion, methods, wanted); }
};

TEST_F(ReplyPackerTest, LeavesAllAsItIsBeforeThereIsAnAgreement) {
  write_reply_to(first, 1, 10 * threshold);
  ReplyPacker::Packed packed(packer, first);
  EXPECT_EQ(&packed.message(), &first);
}

TEST_F(ReplyPackerTest, AnnouncesOnceAndThenPacksWhatIsLong) {
  agree();
  write_reply_to(first, 1, 4);
  EXPECT_TRUE(is_packed(ReplyPacker::Packed(packer, first).message())) << "the announcement";
  agree();  // adds nothing new
  write_reply_to(first, 2, 4);
  EXPECT_EQ(&ReplyPacker::Packed(packer, first).message(), &first);
  write_reply_to(first, 3, 10 * threshold);
  ReplyPacker::Packed packed(packer, first);
  EXPECT_TRUE(is_packed(packed.message()));
  EXPECT_LT(packed.message().size(), threshold);
  EXPECT_EQ(inside_of(packed.message()), octets_of(first));
}

TEST_F(ReplyPackerTest, LetsGoOfWhatWasKeptForTheMessage) {
  agree();
  const auto kept = std::make_shared<int>();
  write_reply_to(first, 1, 100);
  const std::vector<std::uint8_t> long_octets(10 * threshold);
  first.borrow(long_octets);
  first.keep(std::shared_ptr<int>(kept));
  {
    ReplyPacker::Packed packed(packer, first);
    EXPECT_TRUE(is_packed(packed.message()));
    EXPECT_EQ(kept.use_count(), 2);
  }
  EXPECT_EQ(kept.use_count(), 1);
}

TEST_F(ReplyPackerTest, HoldsUpNoMessageWhileAnotherIsPacked) {
  agree();
  write_reply_to(first, 1, 10 * threshold);
  write_reply_to(second, 2, 20 * threshold);
  ReplyPacker::Packed one(packer, first), other(packer, second);
  EXPECT_NE(&one.message(), &other.message());
  EXPECT_EQ(inside_of(one.message()), octets_of(first));
  EXPECT_EQ(inside_of(other.message()), octets_of(second));
}

TEST_F(ReplyPackerTest, IsForAnyNumberOfThreads) {
  agree();
  std::atomic<std::uint32_t> right{0};
  {
    std::vector<std::jthread> threads;
    for (std::uint32_t id = 1; id <= 4; ++id)
      threads.emplace_back([&, id] {
        GatherBuffer reply(512);
        for (std::uint32_t i = 0; i < 50; ++i) {
          write_reply_to(reply, id, id * threshold);
          ReplyPacker::Packed packed(packer, reply);
          right += is_packed(packed.message()) && inside_of(packed.message()) == octets_of(reply) ? 1 : 0;
        }
      });
  }
  EXPECT_EQ(right, 200u);
}

}  // namespace
}  // namespace takt::server
