// Connections without memory for what the peer sends.
#include "messages.h"

namespace takt::giop::test {
namespace {

constexpr std::size_t KiB = 1024;

Limits limits_of(std::size_t connection_bytes, std::size_t server_bytes = MemoryBudget::unlimited) {
  Limits limits;
  limits.connection_memory = connection_bytes;
  limits.server_memory = std::make_shared<MemoryBudget>(server_bytes);
  return limits;
}

const MessageMaker requests({1, 2}, cdr::native_order);

Octets long_request(std::uint32_t id, std::size_t body_bytes) {
  return requests.request(id, "op", std::string(body_bytes, 'x'));
}

TEST(ConnectionMemory, ShortMessagesTakeNone) {
  const Limits limits = limits_of(0, 0);
  Connection connection(Connection::Role::server, limits);
  const auto heard = hear(connection, long_request(2, 60 * KiB));
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(heard[0].what.kind, EventKind::request);
  EXPECT_EQ(limits.server_memory->use().peak_bytes, 0u);
}

TEST(ConnectionMemory, CountsWhatHasArrivedUntilItIsGivenBack) {
  const Limits limits = limits_of(MemoryBudget::unlimited);
  {
    Connection connection(Connection::Role::server, limits);
    const Octets message = long_request(2, 1024 * KiB);
    hear(connection, ByteView(message).first(600 * KiB));
    EXPECT_GE(limits.server_memory->taken_bytes(), 600 * KiB);
    EXPECT_LE(limits.server_memory->taken_bytes(), message.size());
    EXPECT_EQ(hear(connection, ByteView(message).subspan(600 * KiB)).size(), 1u);
    connection.trim();
    EXPECT_EQ(limits.server_memory->taken_bytes(), 0u);
    hear(connection, ByteView(message).first(600 * KiB));
    EXPECT_GE(limits.server_memory->taken_bytes(), 600 * KiB);
  }
  EXPECT_EQ(limits.server_memory->taken_bytes(), 0u);
}

TEST(ConnectionMemory, ARequestThatDoesNotFitIsRefusedAndPassedOver) {
  const Limits limits = limits_of(400 * KiB);
  Connection connection(Connection::Role::server, limits);
  Octets octets = long_request(2, 1024 * KiB);
  const Octets next = requests.request(4, "next", "body");
  octets.insert(octets.end(), next.begin(), next.end());
  const auto heard = hear(connection, octets);
  ASSERT_EQ(heard.size(), 2u);
  EXPECT_EQ(heard[0].what.kind, EventKind::refused_request);
  EXPECT_EQ(heard[0].what.request_id, 2u);
  EXPECT_TRUE(heard[0].what.response_expected);
  EXPECT_FALSE(heard[0].what.fits_later);
  EXPECT_EQ(heard[0].operation, "op");
  EXPECT_EQ(heard[0].body, "");
  EXPECT_EQ(heard[1].what.kind, EventKind::request);
  EXPECT_EQ(heard[1].what.request_id, 4u);
  EXPECT_EQ(heard[1].body, "body");
  EXPECT_FALSE(connection.mid_message());
  EXPECT_LE(limits.server_memory->use().peak_bytes, 400 * KiB);
}

TEST(ConnectionMemory, WhatOthersHaveMayFitLater) {
  const Limits limits = limits_of(MemoryBudget::unlimited, 2048 * KiB);
  const Octets message = long_request(2, 1024 * KiB);
  Connection first(Connection::Role::server, limits), second(Connection::Role::server, limits);
  hear(first, ByteView(message).first(1000 * KiB));
  auto heard = hear(second, message);
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(heard[0].what.kind, EventKind::refused_request);
  EXPECT_TRUE(heard[0].what.fits_later);
  EXPECT_EQ(hear(first, ByteView(message).subspan(1000 * KiB)).size(), 1u);
  first.trim();
  heard = hear(second, message);
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(heard[0].what.kind, EventKind::request);
}

TEST(ConnectionMemory, APeerWhoStopsInARefusedMessageIsLate) {
  const Limits limits = limits_of(100 * KiB);
  Connection connection(Connection::Role::server, limits);
  const Octets message = long_request(2, 1024 * KiB);
  ASSERT_EQ(hear(connection, ByteView(message).first(500 * KiB)).size(), 1u);
  EXPECT_TRUE(connection.mid_message());
  const Connection::TimePoint start{std::chrono::seconds(1000)};
  EXPECT_EQ(connection.next_deadline(start), start + limits.message_time.get());
  connection.end_of_stream();
  EXPECT_EQ(connection.next_event().kind, EventKind::lost);
}

TEST(ConnectionMemory, FragmentsThatDoNotFitAreRefusedAndPassedOver) {
  const Limits limits = limits_of(600 * KiB);
  for (const std::size_t part_bytes : {8 * KiB, 32 * KiB, 100 * KiB}) {
    SCOPED_TRACE(part_bytes);
    Connection connection(Connection::Role::server, limits);
    std::vector<Heard> heard;
    for (const Octets& part : parts_of(long_request(2, 2048 * KiB), part_bytes))
      for (Heard& one : hear(connection, part)) heard.push_back(std::move(one));
    for (Heard& one : hear(connection, requests.request(4, "next", "body"))) heard.push_back(std::move(one));
    ASSERT_EQ(heard.size(), 2u);
    EXPECT_EQ(heard[0].what.kind, EventKind::refused_request);
    EXPECT_EQ(heard[0].what.request_id, 2u);
    EXPECT_EQ(heard[0].operation, "op");
    EXPECT_FALSE(heard[0].what.fits_later);
    EXPECT_EQ(heard[1].what.kind, EventKind::request);
    EXPECT_EQ(heard[1].body, "body");
  }
  EXPECT_EQ(limits.server_memory->taken_bytes(), 0u);
  EXPECT_LE(limits.server_memory->use().peak_bytes, 600 * KiB);
}

TEST(ConnectionMemory, FragmentsAreCountedUntilTheirMessageIsDealtWith) {
  const Limits limits = limits_of(MemoryBudget::unlimited);
  Connection connection(Connection::Role::server, limits);
  const auto parts = parts_of(long_request(2, 1024 * KiB), 32 * KiB);
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) EXPECT_TRUE(hear(connection, parts[i]).empty());
  EXPECT_GE(limits.server_memory->taken_bytes(), 1000 * KiB);
  const Event event = feed(connection, parts.back());
  EXPECT_EQ(event.kind, EventKind::request);
  EXPECT_GE(limits.server_memory->taken_bytes(), 1024 * KiB) << "it is still there";
  EXPECT_EQ(connection.next_event().kind, EventKind::none);
  EXPECT_EQ(limits.server_memory->taken_bytes(), 0u);
}

// Where each fragment of GIOP 1.1 begins takes more memory than the octet that it brings.
TEST(ConnectionMemory, TheBeginningsOfOldFragmentsCountToo) {
  const Limits limits = limits_of(MemoryBudget::unlimited);
  Connection connection(Connection::Role::server, limits);
  const MessageMaker old({1, 1}, cdr::native_order);
  constexpr std::size_t count = 40'000;
  Octets first = old.request(2, "op", "x");
  first[6] |= more_fragments_flag;
  Octets rest = old.make(MessageType::fragment, [](cdr::Encoder& out) { out.put(std::uint8_t{'x'}); });
  rest[6] |= more_fragments_flag;
  EXPECT_TRUE(hear(connection, first).empty());
  for (std::size_t i = 0; i < count; ++i) ASSERT_TRUE(hear(connection, rest).empty());
  EXPECT_GE(limits.server_memory->taken_bytes(), count * 5);
  rest[6] = first[6] & order_flag;
  ASSERT_EQ(feed(connection, rest).kind, EventKind::request);
  EXPECT_GE(limits.server_memory->taken_bytes(), count * 5);
  EXPECT_EQ(connection.next_event().kind, EventKind::none);
  EXPECT_EQ(limits.server_memory->taken_bytes(), 0u);
}

TEST(ConnectionMemory, ACancelledMessageGivesItBack) {
  const Limits limits = limits_of(MemoryBudget::unlimited);
  Connection connection(Connection::Role::server, limits);
  const auto parts = parts_of(long_request(2, 1024 * KiB), 32 * KiB);
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) hear(connection, parts[i]);
  hear(connection, requests.cancel(2));
  EXPECT_EQ(limits.server_memory->taken_bytes(), 0u);
}

TEST(ConnectionMemory, RepliesAreRefusedLikewise) {
  Limits limits = limits_of(400 * KiB);
  limits.client_memory = std::make_shared<MemoryBudget>();
  Connection connection(Connection::Role::client, limits);
  const auto heard =
      hear(connection, requests.reply(2, ReplyStatus::no_exception, std::string(1024 * KiB, 'x')));
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(heard[0].what.kind, EventKind::refused_reply);
  EXPECT_EQ(heard[0].what.request_id, 2u);
  EXPECT_EQ(limits.client_memory->refusals(), 1u);
  EXPECT_EQ(limits.server_memory->refusals(), 0u);
  EXPECT_EQ(hear(connection, requests.reply(4, ReplyStatus::no_exception, "body")).size(), 1u);
}

TEST(ConnectionMemory, KeepsTheBudgetOfAllUntilTheConnectionEnds) {
  Limits limits = limits_of(MemoryBudget::unlimited);
  const std::weak_ptr<MemoryBudget> server_memory = limits.server_memory;
  {
    Connection connection(Connection::Role::server, limits);
    hear(connection, ByteView(long_request(2, 1024 * KiB)).first(1000 * KiB));
    limits.server_memory.reset();
    EXPECT_FALSE(server_memory.expired());
  }
  EXPECT_TRUE(server_memory.expired());
}

TEST(ConnectionMemory, MovesWithTheConnection) {
  const Limits limits = limits_of(MemoryBudget::unlimited);
  const Octets message = long_request(2, 1024 * KiB);
  Connection first(Connection::Role::server, limits);
  hear(first, ByteView(message).first(1000 * KiB));
  {
    Connection second(std::move(first));
    EXPECT_GE(limits.server_memory->taken_bytes(), 1000 * KiB);
    EXPECT_EQ(hear(second, ByteView(message).subspan(1000 * KiB)).size(), 1u);
  }
  EXPECT_EQ(limits.server_memory->taken_bytes(), 0u);
}

}  // namespace
}  // namespace takt::giop::test
