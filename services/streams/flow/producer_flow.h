// A flow that this device produces, for any number of consumers.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "streams/flow/flow.h"
#include "streams/flow/flow_thread.h"
#include "streams/model/spread.h"

namespace takt::streams {

struct ProducerOptions {
  double frame_rate = 0;  // a second; 0: whenever the source has one
  int priority = 0;       // as for FlowThread
  LateFrames late = LateFrames::drop;
  std::uint64_t number = 0;  // among the producers of the device, which spreads their first frames
};

// Asks the source for frames at their times, which are absolute, and sends them. A frame that is due before
// the previous one has been sent by a whole period is late: it is left out, or sent at once. No lock is taken
// for a frame unless the set of consumers changes. All functions but the thread's own are for any thread. It
// is large because what it counts are members.
class ProducerFlow {
 public:
  // A number of a consumer, which the caller chooses.
  using Consumer = std::uint64_t;

  // The flow is stopped. Throws as FlowThread does.
  ProducerFlow(std::unique_ptr<FrameSource> source, const ProducerOptions& options);
  ProducerFlow(const ProducerFlow&) = delete;
  ProducerFlow& operator=(const ProducerFlow&) = delete;
  ~ProducerFlow();

  // The sender belongs to the thread from now on; its time stamps have the rate of the consumer's clock.
  // `where` is a text for operators. False if the flow is dead.
  bool add(Consumer consumer, std::unique_ptr<FrameOutput> sender, std::uint32_t clock_rate,
           std::string where);
  // False if it has no such consumer. The consumer may get one frame more.
  bool remove(Consumer consumer);
  // Whether it has the consumer, and its connection has not ended.
  bool has(Consumer consumer) const;
  // Those that have not failed.
  std::size_t consumers() const { return alive_.load(std::memory_order_relaxed); }
  std::string where() const;

  // Without effect if it is so already.
  void start();
  void stop();
  FlowState state() const;
  // The next frame follows the previous one by the new period.
  void set_rate(double frame_rate);
  FlowCounts counts() const;
  os::TimePoint last_frame() const { return last_frame_.load(std::memory_order_relaxed); }

 private:
  struct Change {
    Consumer consumer;
    std::unique_ptr<FrameOutput> sender;  // null: remove it
    std::uint32_t clock_rate = 0;
  };
  struct Sending {
    Consumer consumer;
    std::unique_ptr<FrameOutput> sender;
    double clock_rate;
    std::optional<std::uint32_t> timestamp = {};  // the last frame has it
    // A consumer takes frames with one timestamp for one frame, so each is later than the one before, also
    // where frames come faster than the clock.
    std::uint32_t timestamp_at(std::chrono::duration<double> time);
  };

  void run();
  bool wait_for_start();
  void take_changes();
  void die();
  void take_rate();
  void keep_pace();
  void send(std::uint64_t number);
  void send_to_all(std::span<const std::uint8_t> frame, std::chrono::duration<double> time);

  const std::unique_ptr<FrameSource> source_;
  const ProducerOptions options_;
  std::atomic<double> frame_rate_;

  mutable std::mutex mutex_;  // guards what follows up to `changed_`
  std::condition_variable wake_;
  std::vector<Change> changes_;
  std::map<Consumer, std::string> names_;
  std::atomic<bool> changed_{false};

  std::atomic<bool> started_{false}, ended_{false}, dead_{false}, interrupted_{false}, rate_changed_{false};
  std::atomic<std::size_t> alive_{0};
  std::atomic<std::uint64_t> frames_{0}, octets_{0}, lost_{0}, late_{0};
  std::atomic<os::TimePoint> last_frame_;
  Spread behind_;

  // Used by the thread alone.
  std::vector<Sending> senders_;
  os::TimePoint due_, origin_;
  std::chrono::nanoseconds period_{0};  // between the previous frame and due_; 0: none is known
  std::uint64_t next_number_ = 0;

  FlowThread thread_;
};

}  // namespace takt::streams
