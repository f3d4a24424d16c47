// Requests and replies among messages that pass, as `takt watch` and `takt hz` find them.
#include "record/passing_calls.h"

#include "../giop/messages.h"
#include "../recorder/recording.h"
#include "record/packets.h"
#include "record/recorded_calls.h"

namespace takt::command {
namespace {

using giop::ReplyStatus;
using giop::test::MessageMaker;
using recorder::Direction;
using recorder::ReadMessage;

const MessageMaker maker{{1, 2}, cdr::native_order};

// `kept`: the octets of it that were recorded.
ReadMessage message(const recorder::Octets& octets, Direction direction, std::int64_t time_ns,
                    std::size_t kept) {
  ReadMessage made;
  made.connection = 1;
  made.direction = direction;
  made.is_message = true;
  made.time_ns = time_ns;
  made.message_bytes = static_cast<std::uint32_t>(octets.size());
  made.octets.assign(octets.begin(), octets.begin() + static_cast<std::ptrdiff_t>(kept));
  return made;
}
ReadMessage whole(const recorder::Octets& octets, Direction direction, std::int64_t time_ns) {
  return message(octets, direction, time_ns, octets.size());
}

TEST(PassingCalls, AreKnownByTheHeadsOfLongMessages) {
  PassingCalls calls;
  const auto request = maker.request(1, "store", std::string(5000, 'x'));
  const PassingCall asked = calls.take(message(request, Direction::received, 100, 4096));
  EXPECT_EQ(asked.kind, PassingCall::Kind::request);
  EXPECT_EQ(asked.operation, "store");
  EXPECT_FALSE(asked.is_whole);
  const auto reply = maker.reply(1, ReplyStatus::no_exception, std::string(5000, 'y'));
  const PassingCall answered = calls.take(message(reply, Direction::sent, 130, 4096));
  EXPECT_EQ(answered.kind, PassingCall::Kind::reply);
  EXPECT_EQ(answered.operation, "store");
  EXPECT_EQ(answered.after_ns, 30);
  EXPECT_FALSE(answered.is_whole);
}

TEST(PassingCalls, AreKnownByTheHeadsOfFirstFragments) {
  PassingCalls calls;
  auto first = maker.request(1, "store", "12345678");
  first[6] |= giop::more_fragments_flag;
  const PassingCall asked = calls.take(whole(first, Direction::received, 100));
  EXPECT_EQ(asked.operation, "store");
  EXPECT_FALSE(asked.is_whole);
  first[7] = static_cast<std::uint8_t>(giop::MessageType::fragment);
  EXPECT_EQ(calls.take(whole(first, Direction::received, 101)).kind, PassingCall::Kind::other);
}

TEST(PassingCalls, AreNotKnownByPartsOfHeads) {
  const auto request = maker.request(1, "store", "");
  for (std::size_t kept = 0; kept < request.size(); ++kept) {
    PassingCalls calls;
    EXPECT_EQ(calls.take(message(request, Direction::received, 100, kept)).kind, PassingCall::Kind::other)
        << kept;
  }
}

TEST(PassingCalls, OfAProcessAreNotAnsweredByTheNext) {
  PassingCalls calls;
  calls.follow_process(1);
  calls.take(whole(maker.request(1, "store", ""), Direction::received, 100));
  calls.follow_process(1);
  calls.take(whole(maker.request(2, "load", ""), Direction::received, 110));
  EXPECT_EQ(calls.take(whole(maker.reply(1, ReplyStatus::no_exception, ""), Direction::sent, 120)).operation,
            "store");
  calls.follow_process(2);
  EXPECT_EQ(calls.take(whole(maker.reply(2, ReplyStatus::no_exception, ""), Direction::sent, 130)).operation,
            "");
}

// read_recording() has put the messages into their order.
TEST(RecordedMessages, KeepTheirOrderIfTheClockIsSetBack) {
  recorder::Recording recording;
  std::uint64_t offset = 0;
  for (const auto& [octets, time_ns] :
       {std::pair(maker.request(1, "first", ""), 200), std::pair(maker.request(1, "second", ""), 100)}) {
    recording.messages.push_back(whole(octets, Direction::received, time_ns));
    recording.messages.back().stream_offset = offset;
    offset += octets.size();
    const auto reply = maker.reply(1, ReplyStatus::no_exception, time_ns == 200 ? "a" : "b");
    recording.messages.push_back(whole(reply, Direction::sent, time_ns + 1));
  }
  const RecordedCalls calls = calls_of(recording, Direction::received);
  ASSERT_EQ(calls.all.size(), 2u);
  EXPECT_EQ(calls.all[0].operation, "first");
  ASSERT_TRUE(calls.all[0].reply && calls.all[1].reply);
  EXPECT_EQ(calls.all[0].reply->body, Octets{'a'});
  EXPECT_EQ(calls.all[1].reply->body, Octets{'b'});
  std::vector<std::int64_t> times;
  for (const TcpPacket& packet : packets_of(recording)) times.push_back(packet.time_ns);
  EXPECT_EQ(times, (std::vector<std::int64_t>{200, 201, 100, 101}));
}

}  // namespace
}  // namespace takt::command
