// A flow that this device consumes, from one producer.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "streams/flow/flow.h"
#include "streams/flow/flow_thread.h"
#include "streams/model/spread.h"

namespace takt::streams {

// Gives the frames that arrive to the sink, in a thread of its own. While it is stopped, they are received
// and dropped. All functions are for any thread.
class ConsumerFlow {
 public:
  // `priority`: of the thread, as for FlowThread, whose exceptions it throws. `memory`: is let go when the
  // receiver has ended. The flow is stopped.
  ConsumerFlow(std::unique_ptr<FrameInput> receiver, std::unique_ptr<FrameSink> sink, int priority,
               std::shared_ptr<const void> memory = nullptr);
  ConsumerFlow(const ConsumerFlow&) = delete;
  ConsumerFlow& operator=(const ConsumerFlow&) = delete;
  // Waits until the sink has returned.
  ~ConsumerFlow();

  // Without effect if it is so already.
  void start() { started_ = true; }
  void stop() {
    if (started_.exchange(false)) paused_ = true;
  }
  // It was stopped after it had been started.
  bool is_paused() const { return paused_ && !started_; }
  FlowState state() const;
  FlowCounts counts();
  os::TimePoint last_frame() const { return last_frame_.load(std::memory_order_relaxed); }

 private:
  void run();
  void note_arrival(const Frame& frame);

  const std::shared_ptr<const void> memory_;
  const std::unique_ptr<FrameInput> receiver_;
  const std::unique_ptr<FrameSink> sink_;
  std::atomic<bool> started_{false}, paused_{false}, dead_{false}, ended_{false};
  std::atomic<std::uint64_t> frames_{0}, octets_{0}, jitter_16_ns_{0};  // the jitter in 16ths of ns
  std::atomic<os::TimePoint> last_frame_;
  Spread deviations_;

  struct Arrival {
    os::TimePoint time;
    std::uint32_t timestamp;
  };
  std::optional<Arrival> previous_;  // used by the thread alone

  FlowThread thread_;
};

}  // namespace takt::streams
