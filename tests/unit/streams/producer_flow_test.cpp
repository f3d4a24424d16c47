// The time stamps and counts of a producer's frames.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "../../eventually.h"
#include "streams/flow/producer_flow.h"

namespace takt::streams {
namespace {

using takt::test::eventually;

constexpr std::size_t frames = 20;

// As many frames as the test wants, at once.
class Source final : public FrameSource {
 public:
  std::span<const std::uint8_t> frame(std::uint64_t number) override {
    return number < frames ? std::span<const std::uint8_t>(octets_) : std::span<const std::uint8_t>();
  }

 private:
  const std::vector<std::uint8_t> octets_{1, 2, 3};
};

struct Sent {
  std::vector<std::uint32_t> timestamps;  // complete once `count` has all
  std::atomic<std::size_t> count{0};
  bool has_room = true;
};

class Output final : public FrameOutput {
 public:
  explicit Output(Sent& sent) : sent_(sent) {}
  bool send(std::span<const std::uint8_t>, std::uint32_t timestamp) override {
    sent_.timestamps.push_back(timestamp);
    ++sent_.count;
    sent_.count.notify_all();
    return sent_.has_room;
  }

 private:
  Sent& sent_;
};

void send_all(ProducerFlow& flow, Sent& sent) {
  ASSERT_TRUE(flow.add(1, std::make_unique<Output>(sent), 8'000, "here"));
  flow.start();
  for (std::size_t count = 0; (count = sent.count) < frames;) sent.count.wait(count);
  flow.stop();
}

TEST(ProducerFlow, FramesFasterThanTheClockHaveDifferentTimestamps) {
  Sent sent;
  ProducerFlow flow(std::make_unique<Source>(), {});
  send_all(flow, sent);
  for (std::size_t i = 1; i < frames; ++i) EXPECT_GT(sent.timestamps[i], sent.timestamps[i - 1]);
}

TEST(ProducerFlow, CountsFramesThatNoConsumerTookAsLostOnly) {
  Sent sent;
  sent.has_room = false;
  ProducerFlow flow(std::make_unique<Source>(), {});
  const auto begin = flow.last_frame();
  send_all(flow, sent);
  EXPECT_TRUE(eventually([&] { return flow.counts().lost >= frames; }));
  EXPECT_EQ(flow.counts().frames, 0u);
  EXPECT_EQ(flow.counts().octets, 0u);
  EXPECT_EQ(flow.last_frame(), begin) << "the flow counts as unused";
}

}  // namespace
}  // namespace takt::streams
