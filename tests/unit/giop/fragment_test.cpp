// Long messages in fragments.
#include "messages.h"

namespace takt::giop::test {
namespace {

const MessageMaker maker({1, 2}, cdr::native_order);

std::vector<Heard> hear_all(Connection& connection, const std::vector<Octets>& parts) {
  std::vector<Heard> heard;
  for (const Octets& part : parts)
    for (Heard& one : hear(connection, part)) heard.push_back(std::move(one));
  return heard;
}

TEST(Fragment, EveryLengthInPartsOfEveryLength) {
  for (const std::size_t max_bytes : {1, 32, 33, 40, 64, 100, 1000})
    for (std::size_t length = 0; length < 200; ++length) {
      const std::string body(length, static_cast<char>('a' + length % 26));
      const auto parts = parts_of(maker.request(5, "op", body), max_bytes);
      for (std::size_t i = 0; i < parts.size(); ++i) {
        EXPECT_LE(parts[i].size(), std::max(max_bytes, min_fragment_bytes));
        if (i + 1 < parts.size()) {
          EXPECT_EQ(parts[i].size() % 8, 0u);
        }
        EXPECT_EQ((parts[i][6] & more_fragments_flag) != 0, i + 1 < parts.size());
      }
      Connection connection(Connection::Role::server, limits);
      const auto heard = hear_all(connection, parts);
      ASSERT_EQ(heard.size(), 1u) << max_bytes << " " << length;
      EXPECT_EQ(heard[0].body, body);
      EXPECT_EQ(heard[0].operation, "op");
      EXPECT_TRUE(heard[0].aligned);
      EXPECT_FALSE(connection.mid_message());
    }
}

TEST(Fragment, ShortMessagesAndOldVersionsGoWhole) {
  EXPECT_EQ(parts_of(maker.request(5, "op", std::string(500, 'x')), 0).size(), 1u);
  EXPECT_EQ(parts_of(maker.request(5, "op", "x"), 1000).size(), 1u);
  for (const std::uint8_t minor : {0, 1})
    EXPECT_EQ(
        parts_of(MessageMaker({1, minor}, cdr::native_order).request(5, "op", std::string(500, 'x')), 64)
            .size(),
        1u);
}

TEST(Fragment, MessagesMayInterleave) {
  const auto a = parts_of(maker.request(2, "a", std::string(300, 'a')), 64);
  const auto b = parts_of(maker.request(4, "b", std::string(300, 'b')), 64);
  std::vector<Octets> mixed;
  for (std::size_t i = 0; i < a.size(); ++i) {
    mixed.push_back(a[i]);
    mixed.push_back(maker.request(100 + static_cast<std::uint32_t>(i), "whole", "c"));
    mixed.push_back(b[i]);
  }
  Connection connection(Connection::Role::server, limits);
  const auto heard = hear_all(connection, mixed);
  ASSERT_EQ(heard.size(), a.size() + 2);
  EXPECT_EQ(heard[heard.size() - 3].body, std::string(300, 'a'));
  EXPECT_EQ(heard[heard.size() - 1].body, std::string(300, 'b'));
}

TEST(Fragment, ACancelDropsThePartsOfItsRequest) {
  const auto parts = parts_of(maker.request(2, "a", std::string(300, 'a')), 64);
  ASSERT_GT(parts.size(), 3u);
  std::vector<Octets> sent{parts[0], parts[1], maker.cancel(2)};
  Connection connection(Connection::Role::server, limits);
  auto heard = hear_all(connection, sent);
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(heard[0].what.kind, EventKind::cancel);
  EXPECT_FALSE(connection.mid_message());
  // Fragments that were in transit, then other messages.
  heard = hear_all(connection, {parts.begin() + 2, parts.end()});
  EXPECT_TRUE(heard.empty());
  EXPECT_EQ(hear_all(connection, parts).size(), 1u) << "the id may be used again";
}

TEST(Fragment, ACancelDropsThePartsOfARequestWithoutIds) {
  const std::uint8_t data[] = {1, 2, 3};
  for (const auto order : {cdr::ByteOrder::big, cdr::ByteOrder::little})
    for (const std::size_t cut : {24, 40, 56, 80}) {
      const MessageMaker old({1, 1}, order);
      const Octets whole = old.request(2, "op", std::string(100, 'x'), {{17, data}, {18, data}});
      Octets first(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(cut));
      first[6] |= more_fragments_flag;
      store_message_size(first.data(), static_cast<std::uint32_t>(cut - header_size));
      Connection connection(Connection::Role::server, limits);
      EXPECT_EQ(hear_all(connection, {first, old.cancel(3)}).size(), 1u);
      EXPECT_TRUE(connection.mid_message()) << "another request was cancelled";
      hear_all(connection, {old.cancel(2)});
      const bool has_id = cut >= 48;
      EXPECT_EQ(connection.mid_message(), !has_id) << cut;
      if (!has_id) continue;
      EXPECT_TRUE(hear_all(connection, {first}).empty()) << "the next one may come in parts";
      EXPECT_TRUE(connection.mid_message());
    }
}

// A CloseConnection says that requests without a reply were not begun (CORBA 3.0.3, 15.5.1.1).
TEST(Fragment, ACloseInTheMiddleOfAReplyIsNotInGoodOrder) {
  const auto end_of = [](Connection::Role role, const Octets& message) {
    Connection connection(role, limits);
    const auto parts = parts_of(message, 64);
    return hear_all(connection, {parts[0], parts[1], maker.close()}).back().what.kind;
  };
  const std::string body(300, 'a');
  EXPECT_EQ(end_of(Connection::Role::client, maker.reply(2, ReplyStatus::no_exception, body)),
            EventKind::protocol_error);
  EXPECT_EQ(end_of(Connection::Role::server, maker.request(2, "a", body)), EventKind::close);
}

// GIOP 1.1 fragments have no ids, so no other fragmented message may come in between.
TEST(Fragment, OldVersionsHaveFragmentsWithoutIds) {
  for (const auto order : {cdr::ByteOrder::big, cdr::ByteOrder::little}) {
    const MessageMaker old({1, 1}, order);
    Octets whole = old.request(2, "op", std::string(100, 'x'));
    const std::size_t cut = 80;
    Octets first(whole.begin(), whole.begin() + cut);
    first[6] |= more_fragments_flag;
    store_message_size(first.data(), cut - header_size);
    const Octets rest = old.make(MessageType::fragment,
                                 [&](cdr::Encoder& out) { out.put_octets(ByteView(whole).subspan(cut)); });
    Connection connection(Connection::Role::server, limits);
    const auto heard = hear_all(connection, {first, old.locate_request(9), rest});
    ASSERT_EQ(heard.size(), 2u);
    EXPECT_EQ(heard[1].body, std::string(100, 'x'));
    Connection confused(Connection::Role::server, limits);
    EXPECT_EQ(hear_all(confused, {first, first}).back().what.kind, EventKind::protocol_error);
  }
}

TEST(Fragment, WhatCannotBeIsAnError) {
  const auto parts = parts_of(maker.request(2, "a", std::string(300, 'a')), 64);
  const auto error_of = [&](const std::vector<Octets>& sent, const Limits& with = limits) {
    Connection connection(Connection::Role::server, with);
    const auto heard = hear_all(connection, sent);
    return !heard.empty() && heard.back().what.kind == EventKind::protocol_error;
  };
  EXPECT_TRUE(error_of({parts[1]})) << "never begun";
  EXPECT_TRUE(error_of({parts[0], parts[0]})) << "begun twice";
  Octets other_order = parts[1];
  other_order[6] ^= order_flag;
  std::reverse(other_order.begin() + 8, other_order.begin() + 12);
  std::reverse(other_order.begin() + 12, other_order.begin() + 16);
  EXPECT_TRUE(error_of({parts[0], other_order}));
  Octets odd = parts[0];
  odd.pop_back();
  store_message_size(odd.data(), static_cast<std::uint32_t>(odd.size() - header_size));
  EXPECT_TRUE(error_of({odd})) << "not a multiple of 8";
  Octets cancel = maker.cancel(1);
  cancel[6] |= more_fragments_flag;
  EXPECT_TRUE(error_of({cancel}));
  Octets bare = parts[1];
  bare.resize(header_size);
  store_message_size(bare.data(), 0);
  EXPECT_TRUE(error_of({parts[0], bare})) << "without an id";
  Limits tight;
  tight.partial_messages = 1;
  EXPECT_TRUE(error_of({parts[0], parts_of(maker.request(4, "a", std::string(300, 'a')), 64)[0]}, tight));
  tight = {};
  tight.fragments_bytes = 100;
  EXPECT_TRUE(error_of(parts, tight));
  tight = {};
  tight.message_bytes = 200;
  EXPECT_TRUE(error_of(parts, tight));
}

}  // namespace
}  // namespace takt::giop::test
