// Limits on the cost of a peer.
#include "messages.h"

namespace takt::giop::test {
namespace {

using std::chrono::seconds;
using TimePoint = Connection::TimePoint;

EventKind last_kind(const Limits& limits, const Octets& input) {
  Connection connection(Connection::Role::server, limits);
  const auto heard = hear(connection, input);
  return heard.empty() ? EventKind::none : heard.back().what.kind;
}

TEST(ConnectionLimits, MessagesUpToTheLimit) {
  const MessageMaker maker({1, 2}, cdr::native_order);
  const Octets message = maker.request(1, "op", std::string(1000, 'x'));
  Limits limits;
  limits.message_bytes = message.size();
  EXPECT_EQ(last_kind(limits, message), EventKind::request);
  limits.message_bytes = message.size() - 1;
  EXPECT_EQ(last_kind(limits, message), EventKind::protocol_error);
  EXPECT_EQ(last_kind(limits, Octets(message.begin(), message.begin() + header_size)),
            EventKind::protocol_error)
      << "known from the header alone";
}

TEST(ConnectionLimits, MemoryFollowsWhatArrives) {
  Limits limits;
  limits.message_bytes = 64 * 1024 * 1024;
  Connection connection(Connection::Role::server, limits);
  Octets header = MessageMaker({1, 2}, cdr::native_order).request(1, "op", "");
  header.resize(header_size);
  store_message_size(header.data(), 60 * 1024 * 1024);
  EXPECT_TRUE(hear(connection, header).empty());
  EXPECT_LE(connection.read_space().size(), 64u * 1024);
}

// A burst of small messages is read in few pieces: a read that fills the buffer and ends within a message
// enlarges it.
TEST(ConnectionLimits, AFullReadMakesRoomForMore) {
  const Limits limits;
  Connection connection(Connection::Role::server, limits);
  const Octets message = MessageMaker({1, 2}, cdr::native_order).request(1, "op", "a burst of these");
  const MutableBytes space = connection.read_space();
  const std::size_t first = space.size();
  ASSERT_NE(first % message.size(), 0u);
  for (std::size_t i = 0; i < first; ++i) space[i] = message[i % message.size()];
  connection.bytes_read(first);
  std::size_t requests = 0;
  while (connection.next_event().kind == EventKind::request) ++requests;
  EXPECT_EQ(requests, first / message.size());
  EXPECT_GT(connection.read_space().size(), 2 * first);
  connection.trim();
  EXPECT_GT(connection.read_space().size(), 2 * first) << "there is part of a message";
}

TEST(ConnectionLimits, VersionsUpToTheConfiguredOne) {
  Limits limits;
  limits.giop_minor = 1;
  EXPECT_EQ(last_kind(limits, MessageMaker({1, 1}, cdr::native_order).request(1, "op", "")),
            EventKind::request);
  EXPECT_EQ(last_kind(limits, MessageMaker({1, 2}, cdr::native_order).request(1, "op", "")),
            EventKind::protocol_error);
}

TEST(ConnectionLimits, ServiceContexts) {
  const MessageMaker maker({1, 2}, cdr::ByteOrder::big);
  const Octets data(100);
  Limits limits;
  limits.service_contexts = 4;
  EXPECT_EQ(last_kind(limits, maker.request(1, "op", "", std::vector<ServiceContext>(4, {1, data}))),
            EventKind::request);
  EXPECT_EQ(last_kind(limits, maker.request(1, "op", "", std::vector<ServiceContext>(5, {1, data}))),
            EventKind::protocol_error);
  limits.service_context_bytes = 200;
  EXPECT_EQ(last_kind(limits, maker.request(1, "op", "", std::vector<ServiceContext>(2, {1, data}))),
            EventKind::protocol_error);
}

TEST(ConnectionLimits, TimeForAMessageBegun) {
  const Limits limits;
  const Octets message = MessageMaker({1, 2}, cdr::native_order).request(1, "op", "body");
  Connection connection(Connection::Role::server, limits);
  const TimePoint start{seconds(1000)};
  EXPECT_EQ(connection.next_deadline(start), std::nullopt);
  hear(connection, ByteView(message).first(5));
  EXPECT_TRUE(connection.mid_message());
  EXPECT_EQ(connection.next_deadline(start), start + limits.message_time.get());
  EXPECT_EQ(connection.next_deadline(start + seconds(5)), start + limits.message_time.get());
  hear(connection, ByteView(message).subspan(5, 20));
  EXPECT_EQ(connection.next_deadline(start + seconds(6)), start + limits.message_time.get())
      << "trickling gains nothing";
  EXPECT_EQ(hear(connection, ByteView(message).subspan(25)).size(), 1u);
  EXPECT_EQ(connection.next_deadline(start + seconds(7)), std::nullopt);

  hear(connection, ByteView(message).first(5));
  connection.on_deadline(start + seconds(10));
  EXPECT_EQ(connection.next_event().kind, EventKind::none);
  connection.on_deadline(start + seconds(41));
  EXPECT_EQ(connection.next_event().kind, EventKind::protocol_error);
  EXPECT_EQ(connection.next_event().kind, EventKind::none);
}

TEST(ConnectionLimits, TimeForMessagesInParts) {
  const Limits limits;
  Octets part = MessageMaker({1, 2}, cdr::native_order).request(1, "op", std::string(64, 'x'));
  part[6] |= more_fragments_flag;
  ASSERT_EQ(part.size() % 8, 0u);
  Connection connection(Connection::Role::server, limits);
  EXPECT_TRUE(hear(connection, part).empty());
  EXPECT_TRUE(connection.mid_message());
  const TimePoint start{seconds(1000)};
  EXPECT_EQ(connection.next_deadline(start), start + limits.message_time.get());
  connection.on_deadline(start + limits.message_time.get());
  EXPECT_EQ(connection.next_event().kind, EventKind::protocol_error);
}

}  // namespace
}  // namespace takt::giop::test
