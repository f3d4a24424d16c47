// The entries of flow specifications.
#include <gtest/gtest.h>

#include "streams/model/flow_entry.h"

namespace takt::streams {
namespace {

constexpr std::size_t most = 200;

std::string refusal_of(const std::string& entry) {
  const auto parsed = parse_forward(entry, most);
  return parsed ? "nothing" : parsed.error();
}

TEST(FlowEntry, HasItsFieldsInTwoOrders) {
  const auto forward =
      parse_forward(R"(video\IN\MIME:video/x\takt:1.0:source=7:clock=90000\UDP=[::1]:4000\TCP=a:1)", most);
  ASSERT_TRUE(forward) << forward.error();
  EXPECT_EQ(forward->name, "video");
  EXPECT_EQ(forward->direction, Direction::in);
  EXPECT_EQ(forward->format, "MIME:video/x");
  EXPECT_EQ(forward->protocol.name, own_protocol);
  EXPECT_EQ(forward->protocol.source, 7u);
  EXPECT_EQ(forward->protocol.clock_rate, 90'000u);
  EXPECT_EQ(forward->carrier.name, "UDP");
  EXPECT_EQ(forward->carrier.host, "::1");
  EXPECT_EQ(forward->carrier.port, 4000);
  const std::string answer = reverse_text(*forward);
  EXPECT_EQ(answer, R"(video\UDP=[::1]:4000\takt:1.0:source=7:clock=90000\IN\MIME:video/x)");
  const auto reverse = parse_reverse(answer, most);
  ASSERT_TRUE(reverse) << reverse.error();
  EXPECT_EQ(forward_text(*reverse), R"(video\IN\MIME:video/x\takt:1.0:source=7:clock=90000\UDP=[::1]:4000)");
}

TEST(FlowEntry, MayLeaveOutFieldsFromTheEnd) {
  const auto name = parse_forward("video", most);
  ASSERT_TRUE(name);
  EXPECT_FALSE(name->direction);
  EXPECT_EQ(name->carrier.name, "");
  EXPECT_EQ(name_in("video"), "video");
  EXPECT_EQ(name_in(R"(video\out)"), "video");
  EXPECT_EQ(parse_forward(R"(video\out\\\udp)", most)->carrier.name, "UDP");
  EXPECT_EQ(parse_forward(R"(video\out)", most)->direction, Direction::out);
}

TEST(FlowEntry, KeepsTheProtocolsOfOthersAsTheyAre) {
  EXPECT_EQ(parse_forward(R"(v\IN\\SFP:1.0:credit=10)", most)->protocol.name, "SFP:1.0");
  EXPECT_EQ(parse_forward(R"(v\IN\\RTP)", most)->protocol.name, "RTP");
}

TEST(FlowEntry, IsRefusedWithTheReason) {
  EXPECT_EQ(refusal_of(""), "no name of a flow");
  EXPECT_EQ(refusal_of(R"(\IN)"), "no name of a flow");
  EXPECT_EQ(refusal_of(std::string(most + 1, 'a')), "201 octets; the limit is 200");
  EXPECT_EQ(refusal_of("a\nb"), "control characters");
  EXPECT_EQ(refusal_of(R"(v\UP)"), "'UP' is no direction: IN and OUT are");
  EXPECT_EQ(refusal_of(R"(a\IN\b\\UDP\x\y)"), "more than six fields");
  for (const char* bad : {"UDP=", "UDP=a", "UDP=:1", "UDP=a:", "UDP=a:65536", "UDP=a:-1", "=a:1", "UDP=[]:1"})
    EXPECT_NE(refusal_of(std::string(R"(v\IN\\\)") + bad), "nothing") << bad;
  for (const char* bad : {"source", "source=", "source=x", "clock=-1", "clock=4294967296", "more=1"})
    EXPECT_NE(refusal_of(std::string(R"(v\IN\\takt:1.0:)") + bad), "nothing") << bad;
}

}  // namespace
}  // namespace takt::streams
