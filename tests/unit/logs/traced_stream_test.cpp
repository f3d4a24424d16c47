// The messages that a traced stream finds in what passes through it.
#include "logs/traced_stream.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "../rooms/memory_stream.h"

namespace takt::logs {

namespace {

struct Kept final : EventLog {
  Kept() { set_level(LogLevel::trace); }
  void write(const LogLine& line) noexcept override {
    if (takes(line.event))
      lines.push_back(std::string(info_of(line.event).name) + " " + std::string(line.operation) + ": " +
                      std::string(line.reason) + " " + std::to_string(line.bytes));
  }
  std::vector<std::string> lines;
};

// A message is 'M', the size of its body, and zeros up to its body.
MessageHead head_of(ByteView octets) {
  if (octets[0] != 'M') return {};
  return {.text = "message", .operation = "op", .body_bytes = octets[1]};
}

std::vector<std::uint8_t> message(std::uint8_t body) {
  std::vector<std::uint8_t> octets(MessageHead::bytes + body, 'b');
  octets[0] = 'M';
  octets[1] = body;
  return octets;
}

struct Traced {
  rooms::Wire wire;
  std::shared_ptr<Kept> log = std::make_shared<Kept>();
  std::unique_ptr<transport::Stream> stream =
      traced_stream(std::make_unique<rooms::MemoryStream>(wire), log, head_of);

  void read_all(std::size_t at_once) {
    std::vector<std::uint8_t> into(at_once);
    while (stream->read(into).status == transport::IoStatus::ok) {
    }
  }
};

}  // namespace

TEST(TracedStream, LogsEachMessageOnceHoweverItIsDivided) {
  for (const std::size_t at_once : {1u, 5u, 12u, 13u, 100u}) {
    Traced traced;
    for (const std::uint8_t body : {0, 7, 255, 0}) {
      const auto octets = message(body);
      traced.wire.incoming.insert(traced.wire.incoming.end(), octets.begin(), octets.end());
    }
    traced.read_all(at_once);
    const std::vector<std::string> expected = {
        "message-received op: message, 12 octets 12", "message-received op: message, 19 octets 19",
        "message-received op: message, 267 octets 267", "message-received op: message, 12 octets 12"};
    EXPECT_EQ(traced.log->lines, expected) << at_once;
  }
}

TEST(TracedStream, LogsWhatWasWrittenAndNotWhatWasRefused) {
  Traced traced;
  const auto first = message(8), second = message(3);
  const ByteView pieces[] = {ByteView(first).first(5), {}, ByteView(first).subspan(5), second};
  traced.wire.write_limit = first.size();
  EXPECT_EQ(traced.stream->write_gather(pieces).bytes, first.size());
  EXPECT_EQ(traced.log->lines, std::vector<std::string>{"message-sent op: message, 20 octets 20"});
  EXPECT_EQ(traced.stream->write(second).status, transport::IoStatus::would_block);
  EXPECT_EQ(traced.log->lines.size(), 1u);
  EXPECT_EQ(traced.wire.outgoing, first);
}

TEST(TracedStream, LogsOctetsThatAreNoMessageAndGoesOn) {
  Traced traced;
  const std::vector<std::uint8_t> noise(30, 'x');
  EXPECT_EQ(traced.stream->write(noise).bytes, noise.size());
  EXPECT_EQ(traced.stream->write(message(1)).bytes, 13u);
  const std::vector<std::string> expected = {"message-sent : octets that begin no GIOP message, 30 octets 30",
                                             "message-sent op: message, 13 octets 13"};
  EXPECT_EQ(traced.log->lines, expected);
}

TEST(TracedStream, LogsNothingWhileTheLevelIsLowerAndKeepsItsPlace) {
  Traced traced;
  traced.log->set_level(LogLevel::debug);
  const auto octets = message(20);
  (void)traced.stream->write(ByteView(octets).first(15));
  traced.log->set_level(LogLevel::trace);
  (void)traced.stream->write(ByteView(octets).subspan(15));
  EXPECT_TRUE(traced.log->lines.empty());
  (void)traced.stream->write(message(2));
  EXPECT_EQ(traced.log->lines.size(), 1u);
}

TEST(TracedStream, TakesAnyOctets) {
  std::mt19937 random(4);
  for (int i = 0; i < 2000; ++i) {
    Traced traced;
    std::vector<std::uint8_t> octets(random() % 600);
    for (auto& octet : octets) octet = random() % 8 == 0 ? 'M' : static_cast<std::uint8_t>(random());
    traced.wire.incoming = octets;
    traced.read_all(1 + random() % 50);
    EXPECT_TRUE(traced.wire.incoming.empty());
  }
}

}  // namespace takt::logs
