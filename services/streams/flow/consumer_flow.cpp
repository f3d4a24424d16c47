#include "streams/flow/consumer_flow.h"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <utility>

namespace takt::streams {
namespace {

constexpr auto longest_wait = std::chrono::seconds(1);
// Frames that are further apart in time than their timestamps say are of a sender that has restarted.
constexpr auto clock_leap = std::chrono::seconds(10);

}  // namespace

ConsumerFlow::ConsumerFlow(std::unique_ptr<FrameInput> receiver, std::unique_ptr<FrameSink> sink,
                           int priority, std::shared_ptr<const void> memory)
    : memory_(std::move(memory)),
      receiver_(std::move(receiver)),
      sink_(std::move(sink)),
      last_frame_(os::Clock::now()),
      thread_(priority, [this] { run(); }) {}

ConsumerFlow::~ConsumerFlow() {
  ended_ = true;
  receiver_->close();
  thread_.join();
}

FlowState ConsumerFlow::state() const {
  if (dead_) return FlowState::dead;
  return started_ ? FlowState::started : FlowState::stopped;
}

FlowCounts ConsumerFlow::counts() {
  const auto in_ns = [](std::chrono::nanoseconds time) { return static_cast<std::uint64_t>(time.count()); };
  const FrameReport report = receiver_->report();
  FlowCounts counts;
  counts.frames = frames_.load(std::memory_order_relaxed);
  counts.octets = octets_.load(std::memory_order_relaxed);
  counts.lost = report.lost;
  counts.late = report.late;
  counts.incomplete = report.incomplete;
  counts.refused = report.refused;
  counts.jitter_ns = jitter_16_ns_.load(std::memory_order_relaxed) / 16;
  counts.jitter_p99_ns = in_ns(deviations_.at(0.99));
  counts.jitter_worst_ns = in_ns(deviations_.worst());
  return counts;
}

void ConsumerFlow::run() {
  try {
    while (!ended_) {
      const auto frame = receiver_->receive(longest_wait);
      if (!frame) continue;
      last_frame_.store(os::Clock::now(), std::memory_order_relaxed);
      if (!started_.load(std::memory_order_relaxed)) {
        previous_.reset();
        continue;
      }
      note_arrival(*frame);
      sink_->frame(*frame);
      octets_.fetch_add(frame->octets.size(), std::memory_order_relaxed);
      frames_.fetch_add(1, std::memory_order_relaxed);
    }
  } catch (const std::exception&) {
    dead_ = true;
  }
}

void ConsumerFlow::note_arrival(const Frame& frame) {
  const Arrival now{last_frame_.load(std::memory_order_relaxed), frame.timestamp};
  if (previous_) {
    const auto units = static_cast<std::int32_t>(now.timestamp - previous_->timestamp);
    const std::chrono::nanoseconds meant(std::int64_t{units} * 1'000'000'000 / receiver_->clock_rate());
    const std::chrono::nanoseconds deviation = now.time - previous_->time - meant;
    if ((units < 0 && !frame.late) || std::chrono::abs(deviation) > clock_leap) {
      previous_ = now;
      return;
    }
    deviations_.add(deviation);
    // RFC 3550, A.8, for frames: most of its packets come together, and would hide how uneven frames are.
    const std::uint64_t jitter = jitter_16_ns_.load(std::memory_order_relaxed);
    jitter_16_ns_.store(jitter + static_cast<std::uint64_t>(std::abs(deviation.count())) - (jitter + 8) / 16,
                        std::memory_order_relaxed);
  }
  previous_ = now;
}

}  // namespace takt::streams
