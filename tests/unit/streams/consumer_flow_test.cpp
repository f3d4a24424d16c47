// The counts of a consumer's frames.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "streams/flow/consumer_flow.h"

namespace takt::streams {
namespace {

using namespace std::chrono_literals;

struct Scene {
  std::vector<std::uint32_t> timestamps;  // one per frame
  std::atomic<std::size_t> shown{0};
  std::atomic<bool> begun{false}, closed{false};
};

class Input final : public FrameInput {
 public:
  explicit Input(Scene& scene) : scene_(scene) {}
  std::uint32_t clock_rate() const override { return 90'000; }
  std::optional<Frame> receive(std::chrono::nanoseconds) override {
    scene_.begun.wait(false);
    if (next_ < scene_.timestamps.size()) return Frame{scene_.timestamps[next_++], false, {1}};
    scene_.closed.wait(false);
    return std::nullopt;
  }
  FrameReport report() override { return {}; }
  void close() override {
    scene_.closed = true;
    scene_.closed.notify_all();
  }

 private:
  Scene& scene_;
  std::size_t next_ = 0;
};

class Sink final : public FrameSink {
 public:
  explicit Sink(Scene& scene) : scene_(scene) {}
  void frame(const Frame&) override {
    ++scene_.shown;
    scene_.shown.notify_all();
  }

 private:
  Scene& scene_;
};

TEST(ConsumerFlow, CountsNoJitterWhereASenderBeginsAnew) {
  Scene scene{.timestamps = {0, 90, 324'000'000, 0, 90, 2'000'000'000, 2'000'000'090}};
  ConsumerFlow flow(std::make_unique<Input>(scene), std::make_unique<Sink>(scene), 0);
  flow.start();
  scene.begun = true;
  scene.begun.notify_all();
  for (std::size_t shown = 0; (shown = scene.shown) < scene.timestamps.size();) scene.shown.wait(shown);
  EXPECT_LT(flow.counts().jitter_worst_ns, 10'000'000'000u);
  EXPECT_LT(flow.counts().jitter_ns, 10'000'000'000u);
}

}  // namespace
}  // namespace takt::streams
