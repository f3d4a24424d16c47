#include "streams/flow/flow.h"

#include <utility>

namespace takt::streams {
namespace {

class OwnOutput final : public FrameOutput {
 public:
  explicit OwnOutput(FrameSender sender) : sender_(std::move(sender)) {}
  bool send(std::span<const std::uint8_t> frame, std::uint32_t timestamp) override {
    return sender_.send(frame, timestamp);
  }

 private:
  FrameSender sender_;
};

class OwnInput final : public FrameInput {
 public:
  explicit OwnInput(FrameReceiver receiver) : receiver_(std::move(receiver)) {}
  std::uint32_t clock_rate() const override { return receiver_.stream().clock_rate; }
  std::optional<Frame> receive(std::chrono::nanoseconds timeout) override {
    return receiver_.receive(timeout);
  }
  FrameReport report() override { return receiver_.report(); }
  void close() override { receiver_.close(); }

 private:
  FrameReceiver receiver_;
};

}  // namespace

std::unique_ptr<FrameOutput> output_of(FrameSender sender) {
  return std::make_unique<OwnOutput>(std::move(sender));
}
std::unique_ptr<FrameInput> input_of(FrameReceiver receiver) {
  return std::make_unique<OwnInput>(std::move(receiver));
}

}  // namespace takt::streams
