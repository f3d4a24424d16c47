// The order of events, and errors that end a connection.
#include "messages.h"

namespace takt::giop::test {
namespace {

TEST(Connection, SaysNothingWithoutOctets) {
  Connection connection(Connection::Role::server, limits);
  EXPECT_EQ(connection.next_event().kind, EventKind::none);
  EXPECT_FALSE(connection.mid_message());
}

TEST(Connection, TellsAllMessagesOfOneReadInOrder) {
  Connection connection(Connection::Role::server, limits);
  Octets all;
  for (const MessageMaker& maker : all_makers())
    for (std::uint32_t id = 0; id < 5; ++id)
      append(all, maker.request(id, std::string(id + 1, 'o'), std::string(id, 'b')));
  const auto heard = hear(connection, all);
  ASSERT_EQ(heard.size(), 30u);
  for (std::size_t i = 0; i < heard.size(); ++i) {
    EXPECT_EQ(heard[i].what.request_id, i % 5);
    EXPECT_EQ(heard[i].body, std::string(i % 5, 'b'));
    EXPECT_TRUE(heard[i].aligned) << i;
  }
  EXPECT_FALSE(connection.mid_message());
}

TEST(Connection, SeesACancelRequestAmongWhatFollows) {
  for (const MessageMaker& maker : all_makers()) {
    Connection connection(Connection::Role::server, limits);
    Octets all = maker.request(2, "op", "x");
    append(all, maker.request(4, "op", "xy"));
    append(all, maker.cancel(2));
    const Octets later = maker.cancel(4);
    append(all, Octets(later.begin(), later.end() - 1));
    const MutableBytes space = connection.read_space();
    ASSERT_LE(all.size(), space.size());
    std::ranges::copy(all, space.begin());
    connection.bytes_read(all.size());
    ASSERT_EQ(connection.next_event().request_id, 2u);
    EXPECT_TRUE(connection.cancel_follows(2));
    EXPECT_FALSE(connection.cancel_follows(4)) << "it is not complete";
    ASSERT_EQ(connection.next_event().request_id, 4u);
    EXPECT_TRUE(connection.cancel_follows(2));
    ASSERT_EQ(connection.next_event().kind, EventKind::cancel);
    EXPECT_FALSE(connection.cancel_follows(2)) << "it is the last event";
  }
}

TEST(Connection, KeepsNoMoreThanASmallBlockAfterLongMessages) {
  Connection connection(Connection::Role::server, limits);
  const MessageMaker maker({1, 2}, cdr::native_order);
  const Octets large = maker.request(1, "op", std::string(300'000, 'x'));
  ASSERT_EQ(hear(connection, large).size(), 1u);
  EXPECT_GT(connection.read_space().size(), 300'000u) << "the next long one finds room";
  const Octets small = maker.request(1, "op", "x");
  for (int i = 0; i < 100; ++i) ASSERT_EQ(hear(connection, small).size(), 1u);
  EXPECT_LE(connection.read_space().size(), 4096u);
  ASSERT_EQ(hear(connection, large).size(), 1u);
  connection.trim();
  EXPECT_LE(connection.read_space().size(), 4096u);
}

TEST(Connection, KnowsAPeerThatTakesTlsAloneByItsAlert) {
  const Octets alert = {21, 3, 1, 0, 2, 2, 70};
  Connection connection(Connection::Role::client, limits);
  EXPECT_TRUE(hear(connection, alert).empty());
  connection.end_of_stream();
  const Event last = connection.next_event();
  EXPECT_EQ(last.kind, EventKind::protocol_error);
  EXPECT_TRUE(last.wants_tls);
  EXPECT_TRUE(connection.over());
  // After a reply, the peer evidently accepts plain messages, so an alert no longer means that it wants TLS.
  Connection later(Connection::Role::client, limits);
  const MessageMaker maker({1, 2}, cdr::native_order);
  ASSERT_EQ(hear(later, maker.reply(1, ReplyStatus::no_exception, "")).size(), 1u);
  EXPECT_TRUE(hear(later, alert).empty());
  later.end_of_stream();
  EXPECT_EQ(later.next_event().kind, EventKind::lost);
}

TEST(Connection, RefusesMessagesOfTheOtherRole) {
  const MessageMaker maker({1, 2}, cdr::ByteOrder::big);
  for (const Octets& message : {maker.request(1, "op", ""), maker.locate_request(1), maker.cancel(1)}) {
    Connection client(Connection::Role::client, limits);
    const auto heard = hear(client, message);
    ASSERT_EQ(heard.size(), 1u);
    EXPECT_EQ(heard[0].what.kind, EventKind::protocol_error);
    EXPECT_NE(std::string(heard[0].what.reason), "");
    EXPECT_TRUE(client.over());
    Connection both(Connection::Role::client, limits);
    both.allow_bidirectional();
    EXPECT_NE(hear(both, message).at(0).what.kind, EventKind::protocol_error);
  }
  for (const Octets& message :
       {maker.reply(1, ReplyStatus::no_exception, ""), maker.locate_reply(1, LocateStatus::object_here)}) {
    Connection server(Connection::Role::server, limits);
    EXPECT_EQ(hear(server, message).at(0).what.kind, EventKind::protocol_error);
  }
}

TEST(Connection, NothingFollowsAClose) {
  for (const MessageMaker& maker : all_makers()) {
    Connection connection(Connection::Role::client, limits);
    Octets all = maker.reply(1, ReplyStatus::no_exception, "x");
    append(all, maker.close());
    append(all, maker.reply(2, ReplyStatus::no_exception, "x"));
    const auto heard = hear(connection, all);
    ASSERT_EQ(heard.size(), 2u);
    EXPECT_EQ(heard[1].what.kind, EventKind::close);
    EXPECT_TRUE(connection.over());
  }
}

TEST(Connection, TheEndOfTheStreamComesAfterWhatArrived) {
  const MessageMaker maker({1, 2}, cdr::native_order);
  Connection connection(Connection::Role::server, limits);
  const Octets message = maker.request(1, "op", "x");
  std::memcpy(connection.read_space().data(), message.data(), message.size());
  connection.bytes_read(message.size());
  connection.end_of_stream();
  EXPECT_EQ(connection.next_event().kind, EventKind::request);
  const Event lost = connection.next_event();
  EXPECT_EQ(lost.kind, EventKind::lost);
  EXPECT_STREQ(lost.reason, "the stream ended");
  EXPECT_EQ(connection.next_event().kind, EventKind::none);
}

TEST(Connection, AStreamThatEndsInsideAMessageSaysSo) {
  const MessageMaker maker({1, 2}, cdr::native_order);
  const Octets message = maker.request(1, "op", "x");
  for (std::size_t cut = 1; cut < message.size(); ++cut) {
    Connection connection(Connection::Role::server, limits);
    EXPECT_TRUE(hear(connection, ByteView(message).first(cut)).empty());
    connection.end_of_stream();
    EXPECT_STREQ(connection.next_event().reason, "the stream ended in the middle of a message");
  }
}

TEST(Connection, WhatIsNotGiopIsAnError) {
  const Octets good = MessageMaker({1, 2}, cdr::ByteOrder::big).request(1, "op", "x");
  const auto refused = [&](std::size_t index, std::uint8_t value) {
    Octets bad = good;
    bad[index] = value;
    Connection connection(Connection::Role::server, limits);
    const auto heard = hear(connection, bad);
    return heard.size() == 1 && heard[0].what.kind == EventKind::protocol_error;
  };
  EXPECT_TRUE(refused(0, 'g'));
  EXPECT_TRUE(refused(3, 0));
  EXPECT_TRUE(refused(4, 2));
  EXPECT_TRUE(refused(5, 3));
  EXPECT_TRUE(refused(6, 4));
  EXPECT_TRUE(refused(7, 8));
  EXPECT_TRUE(refused(7, 7)) << "a fragment of nothing";
  EXPECT_TRUE(refused(8, 0xff)) << "4 GiB";
  EXPECT_TRUE(refused(27, 0xff)) << "a key longer than the message";
  EXPECT_TRUE(refused(21, 3)) << "addressing";
}

TEST(Connection, AHeadCutShortIsAnError) {
  for (const MessageMaker& maker : all_makers()) {
    const Octets whole = maker.request(1, "operation", "");
    for (std::size_t cut = header_size; cut < whole.size(); ++cut) {
      Octets bad(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(cut));
      cdr::Format format;
      store_message_size(bad.data(), static_cast<std::uint32_t>(cut - header_size));
      Connection connection(Connection::Role::server, limits);
      const auto heard = hear(connection, bad);
      ASSERT_EQ(heard.size(), 1u);
      EXPECT_EQ(heard[0].what.kind, EventKind::protocol_error) << cut;
    }
  }
}

TEST(Connection, IdsAreEvenForTheOpenerAndOddForTheOther) {
  Connection client(Connection::Role::client, limits);
  Connection server(Connection::Role::server, limits);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(client.next_request_id() % 2, 0u);
    EXPECT_EQ(server.next_request_id() % 2, 1u);
  }
  EXPECT_NE(client.next_request_id(), client.next_request_id());
}

// Two connections exchange messages over memory; the server answers each request.
TEST(Connection, TwoTalk) {
  Connection client(Connection::Role::client, limits);
  Connection server(Connection::Role::server, limits);
  const auto target = PreparedTarget::for_key({1, 2}, octets("key"));
  GatherBuffer out;
  for (int call = 0; call < 100; ++call) {
    const std::uint32_t id = client.next_request_id();
    out.clear();
    cdr::Encoder request(out);
    request.set_borrowing(false);
    write_request(request, target, {.request_id = id, .operation = "echo", .has_body = true});
    request.put_octets(octets(std::to_string(call)));
    finish_message(out);
    const auto asked = hear(server, flatten(out));
    ASSERT_EQ(asked.size(), 1u);
    out.clear();
    cdr::Encoder reply(out);
    reply.set_borrowing(false);
    write_reply(reply, asked[0].what.version, {.request_id = asked[0].what.request_id, .has_body = true});
    reply.put_octets(octets(asked[0].body));
    finish_message(out);
    const auto answered = hear(client, flatten(out));
    ASSERT_EQ(answered.size(), 1u);
    EXPECT_EQ(answered[0].what.request_id, id);
    EXPECT_EQ(answered[0].body, std::to_string(call));
  }
  const auto goodbye = close_connection(server.version());
  EXPECT_EQ(hear(client, goodbye).at(0).what.kind, EventKind::close);
}

}  // namespace
}  // namespace takt::giop::test
