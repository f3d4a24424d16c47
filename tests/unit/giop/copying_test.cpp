// Placement of long octet sequences in a message.
#include "giop/copying.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "giop/connection.h"
#include "giop/lite/messages.h"
#include "giop/message/reply.h"
#include "messages.h"

namespace takt::giop::test {
namespace {

constexpr std::size_t long_enough = 10'000;

// Octets that begin at a given offset in a page.
class Long {
 public:
  explicit Long(std::size_t at) : at_(at), page_(new(std::align_val_t{4096}) std::uint8_t[at + long_enough]) {
    for (std::size_t i = 0; i < long_enough; ++i) page_[at + i] = static_cast<std::uint8_t>(i * 7);
  }
  ~Long() { ::operator delete[](page_, std::align_val_t{4096}); }
  Long(const Long&) = delete;
  Long& operator=(const Long&) = delete;
  ByteView octets() const { return {page_ + at_, long_enough}; }

 private:
  const std::size_t at_;
  std::uint8_t* const page_;
};

// A reply with an octet sequence followed by a number.
template <class WriteHead>
GatherBuffer reply(const Long& octets, WriteHead write_head) {
  GatherBuffer buffer(64);
  cdr::Encoder out(buffer);
  write_head(out);
  out.put_count(long_enough);
  out.put_octets(octets.octets());
  out.put(std::uint64_t{0x0102030405060708});
  EXPECT_TRUE(finish_message(buffer));
  align_for_copying(buffer);
  return buffer;
}

// Checks that a client reads back what was written.
void expect_whole(const GatherBuffer& buffer, const Long& octets, std::size_t contexts, Messaging messaging) {
  Connection client(Connection::Role::client, limits, messaging);
  Octets message = flatten(buffer);
  for (ByteView left(message); !left.empty();) {
    const MutableBytes space = client.read_space();
    const std::size_t count = std::min(space.size(), left.size());
    std::memcpy(space.data(), left.data(), count);
    client.bytes_read(count);
    left = left.subspan(count);
    if (!left.empty()) {
      ASSERT_EQ(client.next_event().kind, EventKind::none);
    }
  }
  const Event& event = client.next_event();
  ASSERT_EQ(event.kind, EventKind::reply) << event.reason;
  EXPECT_EQ(event.request_id, 2u);
  EXPECT_EQ(event.contexts.size(), contexts);
  cdr::Decoder in(event.body, event.body_index, {});
  std::uint32_t count = 0;
  ASSERT_TRUE(in.get_count(count, 1));
  std::vector<std::uint8_t> read(count);
  ASSERT_TRUE(in.get_array(read.data(), count));
  EXPECT_TRUE(std::ranges::equal(read, octets.octets()));
  EXPECT_EQ(in.take<std::uint64_t>(), 0x0102030405060708u);
}

TEST(Copying, NoLongOctetsGoJustAheadOfWhereTheyAre) {
  for (std::size_t at = 0; at < 64; ++at) {
    const Long octets(at);
    const auto buffer =
        reply(octets, [](cdr::Encoder& out) { lite::write_reply(out, {.request_id = 2, .has_body = true}); });
    const bool near = at < 20 && at + 16 > 20;
    EXPECT_EQ(buffer.first_borrowed().index, near ? 36u : 20u) << at;
    expect_whole(buffer, octets, near ? 1 : 0, Messaging::lite);
  }
}

TEST(Copying, NorBehindTheHeadOfAReply) {
  for (std::size_t at = 0; at < 64; ++at) {
    const Long octets(at);
    const auto buffer = reply(
        octets, [](cdr::Encoder& out) { write_reply(out, {1, 2}, {.request_id = 2, .has_body = true}); });
    const bool near = at < 28 && at + 16 > 28;
    EXPECT_EQ(buffer.first_borrowed().index, near ? 44u : 28u) << at;
    expect_whole(buffer, octets, near ? 1 : 0, Messaging::giop);
  }
}

TEST(Copying, OtherHeadsAreLeftAlone) {
  const std::array<std::uint8_t, 4> data{};
  const std::array<ServiceContext, 1> contexts{{{77, data}}};
  const Long octets(16);
  const auto before =
      reply(octets, [](cdr::Encoder& out) { write_reply(out, {1, 1}, {.request_id = 2, .has_body = true}); });
  expect_whole(before, octets, 0, Messaging::giop);
  const auto with_context = reply(octets, [&](cdr::Encoder& out) {
    write_reply(out, {1, 2}, {.request_id = 2, .contexts = contexts, .has_body = true});
  });
  expect_whole(with_context, octets, 1, Messaging::giop);
  const auto lite = reply(octets, [&](cdr::Encoder& out) {
    lite::write_reply(out, {.request_id = 2, .contexts = contexts, .has_body = true});
  });
  expect_whole(lite, octets, 1, Messaging::lite);
}

}  // namespace
}  // namespace takt::giop::test
