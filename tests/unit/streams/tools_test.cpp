// Generated video, and the page of what flows have carried.
#include <gtest/gtest.h>

#include "stream/flow_json.h"
#include "stream/generated_video.h"
#include "stream/page.h"

namespace takt::command {
namespace {

Takt::Streams::Flow flow_with(const std::string& name, std::uint64_t frames, std::uint64_t lost) {
  Takt::Streams::Flow flow;
  flow.end_point("1");
  flow.name(name);
  flow.frames(frames);
  flow.lost(lost);
  flow.jitter_ns(1500);
  return flow;
}

std::size_t count_of(const std::string& text, const std::string& words) {
  std::size_t count = 0;
  for (auto at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) ++count;
  return count;
}

TEST(GeneratedVideo, HasTheMeanSizeThatIsWanted) {
  GeneratedVideo video(10'000);
  std::uint64_t octets = 0, large = 0;
  for (std::uint64_t number = 0; number < 1200; ++number) {
    const auto frame = video.frame(number);
    ASSERT_GE(frame.size(), 8u);
    EXPECT_EQ(frame[7], static_cast<std::uint8_t>(number));
    octets += frame.size();
    large += frame.size() > 20'000 ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(octets) / 1200, 10'000, 500);
  EXPECT_EQ(large, 100u) << "one of twelve";
  EXPECT_EQ(GeneratedVideo(1).frame(3).size(), 8u);
}

TEST(PageOfFlows, DrawsWhatPassedBetweenSamples) {
  std::vector<FlowSample> samples;
  for (std::uint64_t i = 0; i < 4; ++i) {
    Takt::Streams::State state;
    state.flows().push_back(flow_with("a<b", 25 * i, i == 3 ? 7 : 0));
    samples.push_back({std::chrono::seconds(i), state});
  }
  const std::string html = html_of_flows(samples, "corbaloc::host<:1/TaktStreams");
  EXPECT_EQ(count_of(html, "class=\"frames\""), 3u);
  EXPECT_EQ(count_of(html, "class=\"bad\""), 1u) << "losses in one interval";
  EXPECT_EQ(count_of(html, "class=\"jitter\""), 1u);
  EXPECT_NE(html.find("75 frames, 0 octets, 7 packets lost"), std::string::npos);
  EXPECT_EQ(count_of(html, "a<b") + count_of(html, "host<"), 0u);
}

// As takt stream watch prints them.
TEST(PageOfFlows, CountsFlowsThatBeginMeanwhileFromTheirBegin) {
  std::vector<FlowSample> samples{{std::chrono::seconds(0), {}}};
  for (std::uint64_t i = 1; i < 4; ++i) {
    Takt::Streams::State state;
    state.flows().push_back(flow_with("late", 25 * i - 5, 1));
    samples.push_back({std::chrono::seconds(i), state});
  }
  const std::string html = html_of_flows(samples, "x");
  EXPECT_NE(html.find("70 frames, 0 octets, 1 packets lost"), std::string::npos) << html;
  EXPECT_EQ(count_of(html, "class=\"frames\""), 3u);
  EXPECT_NE(html.find("<p>1 flow, 3 s"), std::string::npos);
}

TEST(PageOfFlows, NeedsNoSamples) {
  EXPECT_NE(html_of_flows({}, "x").find("0 flows"), std::string::npos);
  EXPECT_NE(html_of_flows({{std::chrono::seconds(0), {}}}, "x").find("0 flows"), std::string::npos);
}

TEST(FlowJson, CountsWhatHasPassed) {
  const Json json = json_of_flow(passed_since(flow_with("v", 10, 9), flow_with("v", 30, 4)));
  EXPECT_EQ(json["frames"], 20);
  EXPECT_EQ(json["lost"], 0) << "packets came after all";
  EXPECT_EQ(json["role"], "consumer");
  EXPECT_EQ(json["jitter_ns"], 1500);
}

}  // namespace
}  // namespace takt::command
