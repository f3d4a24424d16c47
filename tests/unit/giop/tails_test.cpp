// Requests whose octets are read to where they stay.
#include <numeric>

#include <takt/cdr/codec.h>
#include <takt/cdr/decoder.h>

#include "messages.h"

namespace takt::giop::test {
namespace {

constexpr std::size_t kib = 1024;

// Arguments: a number, octets, and `behind` more octets.
struct Arguments {
  std::uint32_t number = 7;
  Octets octets;
  std::size_t behind = 0;
};

Octets request(const Arguments& arguments, cdr::ByteOrder order = cdr::native_order,
               Version version = {1, 2}) {
  return MessageMaker(version, order).make(MessageType::request, [&](cdr::Encoder& out) {
    if (version.minor < 2) write_service_contexts(out, {});
    out.put(std::uint32_t{5});
    out.put(std::uint8_t{version.minor < 2 ? std::uint8_t{1} : response_from_target});
    for (int i = 0; version.minor > 0 && i < 3; ++i) out.put(std::uint8_t{0});
    if (version.minor == 2) out.put(std::uint16_t{0});
    out.align(2);
    cdr::write(out, Octets{1, 2, 3});
    out.put_raw_string("op");
    if (version.minor < 2)
      out.put(std::uint32_t{0});
    else
      write_service_contexts(out, {});
    if (version.minor == 2) out.align(8);
    out.put(arguments.number);
    cdr::write(out, arguments.octets);
    for (std::size_t i = 0; i < arguments.behind; ++i) out.put(static_cast<std::uint8_t>(i));
  });
}

Octets counted_octets(std::size_t size) {
  Octets octets(size);
  std::iota(octets.begin(), octets.end(), std::uint8_t{0});
  return octets;
}

// Reads as a socket does that has all of it, and notes the places to which it read.
struct Reader {
  explicit Reader(Connection& of) : connection(of) {}
  const Event& read(ByteView octets, std::size_t at_once = SIZE_MAX) {
    const Event* event = &connection.next_event();
    while (!octets.empty() && event->kind == EventKind::none) {
      const MutableBytes space = connection.read_space();
      const std::size_t count = std::min({space.size(), octets.size(), at_once});
      std::copy_n(octets.begin(), count, space.begin());
      spaces.emplace_back(space.first(count));
      octets = octets.subspan(count);
      connection.bytes_read(count);
      event = &connection.next_event();
    }
    left = octets;
    return *event;
  }
  bool was_read_to(const std::uint8_t* place) const {
    return std::ranges::any_of(
        spaces, [&](ByteView one) { return place >= one.data() && place < one.data() + one.size(); });
  }
  Connection& connection;
  std::vector<ByteView> spaces;
  ByteView left;
};

// Decodes the arguments of the event.
Arguments arguments_of(Connection& connection, const Event& event, std::size_t behind = 0) {
  cdr::Format format;
  format.order = event.order;
  format.giop_minor = event.version.minor;
  cdr::Decoder in(event.body, event.body_index, format);
  if (event.body_missing != 0) in.set_source(connection.tail(), event.body_missing);
  Arguments arguments;
  in.get(arguments.number);
  EXPECT_TRUE(cdr::read(in, arguments.octets));
  for (; arguments.behind < behind && in.ok(); ++arguments.behind)
    EXPECT_EQ(in.get_u8(), static_cast<std::uint8_t>(arguments.behind));
  EXPECT_TRUE(in.ok());
  EXPECT_EQ(in.remaining(), 0u);
  return arguments;
}

class Tails : public testing::Test {
 protected:
  Tails() { connection.gather_tails(); }
  Limits limits;
  Connection connection{Connection::Role::server, limits};
  Reader reader{connection};
};

TEST_F(Tails, OctetsStayWhereTheyWereRead) {
  for (const cdr::ByteOrder order : {cdr::ByteOrder::big, cdr::ByteOrder::little})
    for (const std::uint8_t minor : {0, 1, 2})
      for (const std::size_t behind : {0, 1, 5, 64}) {
        SCOPED_TRACE(testing::Message() << int(minor) << ' ' << behind);
        const Arguments sent{7, counted_octets(64 * kib + 3), behind};
        reader.spaces.clear();
        const Event event = reader.read(request(sent, order, {1, minor}));
        ASSERT_EQ(event.kind, EventKind::request);
        EXPECT_EQ(event.operation, "op");
        ASSERT_NE(connection.tail(), nullptr);
        const Arguments got = arguments_of(connection, event, behind);
        EXPECT_EQ(got.number, 7u);
        EXPECT_EQ(got.octets, sent.octets);
        EXPECT_TRUE(reader.was_read_to(got.octets.data() + got.octets.size() - 1));
        EXPECT_EQ(connection.next_event().kind, EventKind::none);
        EXPECT_FALSE(connection.mid_message());
        EXPECT_EQ(connection.tail(), nullptr);
      }
}

TEST_F(Tails, MayComeOctetByOctetAndAreFollowedByOthers) {
  Octets stream = request({1, counted_octets(40 * kib)});
  append(stream, request({2, counted_octets(10)}));
  append(stream, request({3, counted_octets(50 * kib)}));
  const Octets rest(stream);
  ByteView left = rest;
  for (const std::uint32_t number : {1u, 2u, 3u}) {
    const Event event = reader.read(left, 1);
    ASSERT_EQ(event.kind, EventKind::request);
    EXPECT_EQ(connection.tail() != nullptr, number != 2);
    EXPECT_EQ(arguments_of(connection, event).number, number);
    left = reader.left;
  }
  EXPECT_TRUE(left.empty());
}

TEST_F(Tails, AreNotForShortMessagesRepliesAndOtherTypes) {
  EXPECT_EQ(reader.read(request({1, counted_octets(30 * kib)})).body_missing, 0u);
  std::string structs(100 * kib, '\x7f');  // nothing in it says how long it is
  EXPECT_EQ(reader.read(MessageMaker({1, 2}, cdr::native_order).request(3, "op", structs)).body_missing, 0u);
  Connection client(Connection::Role::client, limits);
  client.gather_tails();
  Reader replies(client);
  const Octets body = octets(std::string("\0\0\1\0", 4) + std::string(64 * kib, 'x'));
  const Event reply =
      replies.read(MessageMaker({1, 2}, cdr::ByteOrder::big).reply(3, ReplyStatus::no_exception, text(body)));
  EXPECT_EQ(reply.kind, EventKind::reply);
  EXPECT_EQ(reply.body_missing, 0u);
}

// Octets that look like a length begin a tail in the middle of another value.
TEST_F(Tails, AFalseLengthOnlyCostsACopy) {
  constexpr std::size_t size = 100 * kib, at = 400;
  for (const std::size_t behind : {0, 64}) {
    Octets inside = counted_octets(size);
    const auto false_length = static_cast<std::uint32_t>(size - at - 4 - behind);
    std::memcpy(inside.data() + at, &false_length, sizeof false_length);
    Octets message = MessageMaker({1, 2}, cdr::native_order).request(3, "op", text(inside));
    const Event event = reader.read(message);
    ASSERT_EQ(event.kind, EventKind::request);
    ASSERT_NE(connection.tail(), nullptr);
    cdr::Decoder in(event.body, event.body_index, cdr::Format{});
    in.set_source(connection.tail(), event.body_missing);
    std::vector<std::uint64_t> numbers(size / 8);
    EXPECT_TRUE(in.get_array(numbers.data(), numbers.size()));
    EXPECT_EQ(std::memcmp(numbers.data(), inside.data(), size), 0);
  }
}

TEST_F(Tails, MemoryGrowsWithWhatArrivesAndIsGivenBack) {
  limits.server_memory = std::make_shared<MemoryBudget>();
  Connection other(Connection::Role::server, limits);
  other.gather_tails();
  Reader slow(other);
  const Octets message = request({1, counted_octets(3072 * kib)});
  EXPECT_EQ(slow.read(ByteView(message).first(5 * kib)).kind, EventKind::none);
  EXPECT_LE(limits.server_memory->taken_bytes(), 64 * kib);
  EXPECT_EQ(slow.read(ByteView(message).subspan(5 * kib, 500 * kib)).kind, EventKind::none);
  EXPECT_LE(limits.server_memory->taken_bytes(), 2048 * kib);
  const Event event = slow.read(ByteView(message).subspan(505 * kib));
  EXPECT_GE(limits.server_memory->taken_bytes(), 3072 * kib);
  const Arguments got = arguments_of(other, event);
  EXPECT_EQ(got.octets.size(), 3072 * kib);
  EXPECT_EQ(limits.server_memory->taken_bytes(), 0u) << "the octets belong to the application";
  EXPECT_EQ(other.next_event().kind, EventKind::none);
  ASSERT_EQ(slow.read(ByteView(message)).kind, EventKind::request);  // not decoded
  EXPECT_EQ(other.next_event().kind, EventKind::none);
  EXPECT_EQ(limits.server_memory->taken_bytes(), 0u) << "a block as long as this is not kept";
  EXPECT_EQ(limits.server_memory->taken_bytes(), 0u);
  EXPECT_LE(limits.server_memory->use().peak_bytes, 4 * 1024 * kib);
}

TEST_F(Tails, MemoryIsUsedAgain) {
  limits.server_memory = std::make_shared<MemoryBudget>();
  Connection other(Connection::Role::server, limits);
  other.gather_tails();
  Reader reads(other);
  const Octets long_one = request({1, counted_octets(1000 * kib)}),
               short_one = request({2, counted_octets(100 * kib)});
  Octets kept;
  for (int i = 0; i < 6; ++i) {
    const Event event = reads.read(i % 3 == 2 ? short_one : long_one);
    ASSERT_EQ(event.kind, EventKind::request);
    cdr::Decoder in(event.body, event.body_index);
    in.set_encoding(event.order, 2);
    in.set_source(other.tail(), event.body_missing);
    in.get_u32();
    const std::uint8_t* const before = kept.data();
    ASSERT_TRUE(cdr::read(in, kept));
    EXPECT_EQ(kept, counted_octets(i % 3 == 2 ? 100 * kib : 1000 * kib));
    EXPECT_NE(kept.data(), before);
    EXPECT_EQ(other.next_event().kind, EventKind::none);
    if (i > 0) EXPECT_GE(limits.server_memory->taken_bytes(), 1000 * kib);
    EXPECT_LE(limits.server_memory->taken_bytes(), 1100 * kib);
  }
  other.trim();
  EXPECT_EQ(limits.server_memory->taken_bytes(), 0u);
}

TEST_F(Tails, ARequestWithoutMemoryIsRefusedAndPassedOver) {
  for (const std::size_t limit : {0 * kib, 100 * kib, 600 * kib}) {
    limits.connection_memory = limit;
    Connection poor(Connection::Role::server, limits);
    poor.gather_tails();
    Reader slow(poor);
    Octets stream = request({1, counted_octets(1024 * kib)});
    append(stream, request({2, counted_octets(10)}));
    EXPECT_EQ(slow.read(stream).kind, EventKind::refused_request);
    EXPECT_EQ(poor.last_event().request_id, 5u);
    EXPECT_FALSE(poor.last_event().fits_later);
    const Octets left(slow.left.begin(), slow.left.end());
    const Event event = slow.read(left);
    ASSERT_EQ(event.kind, EventKind::request);
    EXPECT_EQ(arguments_of(poor, event).number, 2u);
  }
}

TEST_F(Tails, AStreamThatEndsInOneIsLostAndAPeerThatStopsIsLate) {
  const Octets message = request({1, counted_octets(100 * kib)});
  EXPECT_EQ(reader.read(ByteView(message).first(50 * kib)).kind, EventKind::none);
  EXPECT_TRUE(connection.mid_message());
  EXPECT_EQ(connection.message_missing(), message.size() - 50 * kib);
  const Connection::TimePoint start{std::chrono::seconds(1000)};
  ASSERT_EQ(connection.next_deadline(start), start + limits.message_time.get());
  Connection moved(std::move(connection));
  moved.end_of_stream();
  EXPECT_EQ(moved.next_event().kind, EventKind::lost);
}

}  // namespace
}  // namespace takt::giop::test
