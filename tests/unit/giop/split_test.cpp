// The events are the same however the stream is split into reads.
#include "messages.h"

#include <random>

namespace takt::giop::test {
namespace {

Octets conversation() {
  Octets all;
  const Octets data = octets("context");
  for (const MessageMaker& maker : all_makers()) {
    append(all, maker.request(1, "first", "a body of some length", {{1, data}}));
    append(all, maker.locate_request(2));
    append(all, maker.cancel(1));
    append(all, maker.request(3, "second", ""));
  }
  const Octets whole = MessageMaker({1, 2}, cdr::native_order).request(9, "parts", std::string(200, 'p'));
  GatherBuffer buffer;
  buffer.append(whole.data(), whole.size());
  std::vector<ByteView> pieces;
  FragmentHeaders headers;
  fragment(buffer, 64, pieces, headers);
  for (const ByteView piece : pieces) all.insert(all.end(), piece.begin(), piece.end());
  append(all, MessageMaker({1, 2}, cdr::native_order).close());
  return all;
}

void expect_same(const std::vector<Heard>& heard, const std::vector<Heard>& expected) {
  ASSERT_EQ(heard.size(), expected.size());
  for (std::size_t i = 0; i < heard.size(); ++i) {
    EXPECT_EQ(heard[i].what.kind, expected[i].what.kind);
    EXPECT_EQ(heard[i].what.request_id, expected[i].what.request_id);
    EXPECT_EQ(heard[i].key, expected[i].key);
    EXPECT_EQ(heard[i].operation, expected[i].operation);
    EXPECT_EQ(heard[i].body, expected[i].body);
    EXPECT_EQ(heard[i].contexts, expected[i].contexts);
    EXPECT_TRUE(heard[i].aligned);
  }
}

std::vector<Heard> in_one(const Octets& all) {
  Connection connection(Connection::Role::server, limits);
  return hear(connection, all);
}

TEST(Split, InStepsOfEveryLength) {
  const Octets all = conversation();
  const auto expected = in_one(all);
  ASSERT_EQ(expected.size(), 6u * 4 + 2);
  ASSERT_EQ(expected[24].body, std::string(200, 'p'));
  for (std::size_t step = 1; step < 100; ++step) {
    Connection connection(Connection::Role::server, limits);
    expect_same(hear(connection, all, step), expected);
  }
}

TEST(Split, AtEveryPosition) {
  const Octets all = conversation();
  const auto expected = in_one(all);
  for (std::size_t cut = 0; cut <= all.size(); ++cut) {
    Connection connection(Connection::Role::server, limits);
    auto heard = hear(connection, ByteView(all).first(cut));
    for (Heard& more : hear(connection, ByteView(all).subspan(cut))) heard.push_back(std::move(more));
    expect_same(heard, expected);
  }
}

TEST(Split, AtRandom) {
  const Octets all = conversation();
  const auto expected = in_one(all);
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    Connection connection(Connection::Role::server, limits);
    std::vector<Heard> heard;
    for (ByteView rest = all; !rest.empty();) {
      const std::size_t count = std::min<std::size_t>(rest.size(), 1 + random() % 300);
      for (Heard& more : hear(connection, rest.first(count))) heard.push_back(std::move(more));
      rest = rest.subspan(count);
    }
    expect_same(heard, expected);
  }
}

TEST(Split, ALongMessageByteByByte) {
  const Octets message = MessageMaker({1, 2}, cdr::ByteOrder::big).request(1, "op", std::string(20'000, 'x'));
  Connection connection(Connection::Role::server, limits);
  const auto heard = hear(connection, message, 1);
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(heard[0].body.size(), 20'000u);
}

}  // namespace
}  // namespace takt::giop::test
