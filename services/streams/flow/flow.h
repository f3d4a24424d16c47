// Sources and sinks of frames, which the program that has a device provides, and the state of its flows.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <takt/frames/frames.h>

namespace takt::streams {

// Makes the frames of one connection. Called by the flow's own thread.
class FrameSource {
 public:
  virtual ~FrameSource() = default;
  // The frame with the number, from 0 on, for its time. Numbers of frames that are too late are left out. The
  // octets are read until the next call. Empty: there is no frame for this time. An exception ends the flow.
  virtual std::span<const std::uint8_t> frame(std::uint64_t number) = 0;
};

// Takes the frames of one connection. Called by the flow's own thread.
class FrameSink {
 public:
  virtual ~FrameSink() = default;
  // An exception ends the flow. Frames that arrive while it runs wait, as far as there is memory for them. It
  // must not end its own flow or device, which wait until it has returned.
  virtual void frame(const Frame& frame) = 0;
};

// Sends the frames of one flow to one consumer. One thread at a time. output_of() makes that of the own
// protocol.
class FrameOutput {
 public:
  virtual ~FrameOutput() = default;
  // As FrameSender::send().
  virtual bool send(std::span<const std::uint8_t> frame, std::uint32_t timestamp) = 0;
};

// Receives the frames of one flow, as FrameReceiver does.
class FrameInput {
 public:
  virtual ~FrameInput() = default;
  virtual std::uint32_t clock_rate() const = 0;
  virtual std::optional<Frame> receive(std::chrono::nanoseconds timeout) = 0;
  virtual FrameReport report() = 0;
  virtual void close() = 0;
};

std::unique_ptr<FrameOutput> output_of(FrameSender sender);
std::unique_ptr<FrameInput> input_of(FrameReceiver receiver);

enum class FlowState : std::uint8_t { stopped, started, dead };

struct FlowCounts {
  std::uint64_t frames = 0;      // sent to at least one consumer, or given to the sink
  std::uint64_t octets = 0;      // total of these frames
  std::uint64_t lost = 0;        // not sent to a consumer for want of room; or packets that did not arrive
  std::uint64_t late = 0;        // left out by the producer, or after their time at the consumer
  std::uint64_t incomplete = 0;  // given up, because parts did not arrive
  std::uint64_t refused = 0;     // packets that do not belong to the flow
  // A consumer has the jitter of frames, computed as in RFC 3550, and how far intervals between frames
  // deviate from those of their time stamps. A producer has how far behind their times frames are sent, the
  // first as the median.
  std::uint64_t jitter_ns = 0, jitter_p99_ns = 0, jitter_worst_ns = 0;
};

}  // namespace takt::streams
