// Long bodies that their receiver reads directly from the stream.
#include "messages.h"

namespace takt::giop::test {
namespace {

TEST(StreamBodies, TheEventComesWithTheHead) {
  for (const MessageMaker& maker : all_makers()) {
    const std::string body(100'000, 'x');
    Octets stream = maker.request(7, "op", body);
    const std::size_t first_size = stream.size();
    append(stream, maker.request(8, "next", "y"));
    Connection connection(Connection::Role::server, limits);
    connection.stream_bodies(10'000);
    const MutableBytes space = connection.read_space();
    ASSERT_LT(space.size(), first_size);
    std::memcpy(space.data(), stream.data(), space.size());
    connection.bytes_read(space.size());
    const Event event = connection.next_event();
    ASSERT_EQ(event.kind, EventKind::request);
    EXPECT_EQ(event.body.size() + event.body_missing, body.size());
    EXPECT_EQ(connection.body_missing(), first_size - space.size());
    EXPECT_TRUE(connection.mid_message());
    EXPECT_EQ(connection.next_event().kind, EventKind::none);
    connection.body_taken(1000);
    connection.body_taken(connection.body_missing());
    EXPECT_FALSE(connection.mid_message());
    const auto heard = hear(connection, ByteView(stream).subspan(first_size));
    ASSERT_EQ(heard.size(), 1u);
    EXPECT_EQ(heard[0].operation, "next");
  }
}

TEST(StreamBodies, AHeadMayArriveInBits) {
  const MessageMaker maker({1, 2}, cdr::ByteOrder::big);
  const Octets message = maker.reply(7, ReplyStatus::no_exception, std::string(50'000, 'x'));
  Connection connection(Connection::Role::client, limits);
  connection.stream_bodies(1000);
  std::size_t at = 0;
  Event event;
  while (event.kind == EventKind::none) {
    ASSERT_LT(at, 100u);
    connection.read_space()[0] = message[at++];
    connection.bytes_read(1);
    event = connection.next_event();
  }
  EXPECT_EQ(event.kind, EventKind::reply);
  EXPECT_EQ(event.body_index % 8, 0u);
  EXPECT_EQ(event.body_missing + at, message.size());
}

TEST(StreamBodies, ShortAndCompleteOnesAreAsEver) {
  const MessageMaker maker({1, 2}, cdr::native_order);
  Connection connection(Connection::Role::server, limits);
  connection.stream_bodies(500);
  const auto heard = hear(connection, maker.request(1, "op", std::string(800, 'x')));
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(heard[0].what.body_missing, 0u);
  EXPECT_EQ(heard[0].body.size(), 800u);
}

TEST(StreamBodies, OneThatIsNotToBeStreamedAfterAllComesAgainWhole) {
  const MessageMaker maker({1, 2}, cdr::native_order);
  const std::string body(100'000, 'x');
  Octets stream = maker.request(5, "first", "y");
  append(stream, maker.request(7, "op", body));
  append(stream, maker.request(9, "next", body));
  Connection connection(Connection::Role::server, limits);
  connection.stream_bodies(1000);
  const std::size_t some = connection.read_space().size();
  std::memcpy(connection.read_space().data(), stream.data(), some);
  connection.bytes_read(some);
  EXPECT_EQ(connection.next_event().operation, "first");
  ASSERT_EQ(connection.next_event().operation, "op");
  ASSERT_NE(connection.body_missing(), 0u);
  connection.stop_streaming();
  EXPECT_EQ(connection.body_missing(), 0u);
  EXPECT_TRUE(connection.mid_message());
  const auto heard = hear(connection, ByteView(stream).subspan(some));
  ASSERT_EQ(heard.size(), 2u);
  EXPECT_EQ(heard[0].operation, "op");
  EXPECT_EQ(heard[0].body.size(), body.size());
  EXPECT_EQ(heard[1].operation, "next");
}

}  // namespace
}  // namespace takt::giop::test
