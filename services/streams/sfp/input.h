// The consumer's end of a flow over SFP.
#pragma once

#include <atomic>
#include <optional>
#include <vector>

#include <takt/os/clock.h>

#include "streams/flow/flow.h"
#include "streams/sfp/assembly.h"
#include "streams/sfp/datagrams.h"

namespace takt::streams::sfp {

// Takes frames of the first who sends some or asks to start, until it ends the stream, or has been silent for
// a second and another comes. Datagrams of others are counted as refused. Frames are given when they are
// complete: there is no delay, and none is late.
class Input final : public FrameInput {
 public:
  // `credit`: frames that may be under way; 0: any number. Throws CORBA::TRANSIENT for a host that is no
  // address, and if the system refuses.
  Input(const std::string& host, const FrameOptions& options, std::uint32_t credit);

  std::uint16_t port() const { return socket_.own().port(); }
  std::uint32_t clock_rate() const override { return clock_rate_; }
  std::optional<Frame> receive(std::chrono::nanoseconds timeout) override;
  FrameReport report() override;
  void close() override;

 private:
  std::optional<Frame> take(ByteView datagram, const Address& from, os::TimePoint now);
  void begin(const Address& from);
  void note_sequence(const Message& message);
  void give_credit(std::uint32_t frames);
  void refuse() { refused_.fetch_add(1, std::memory_order_relaxed); }

  const std::uint32_t clock_rate_, credit_;
  const Datagrams socket_;
  std::atomic<bool> closed_{false};
  std::atomic<std::uint64_t> lost_{0}, incomplete_{0}, refused_{0};

  // Used by the receiving thread alone.
  Assembly assembly_;
  std::vector<std::uint8_t> datagram_, answer_;
  std::optional<Address> sender_;
  os::TimePoint heard_;
  std::optional<std::uint32_t> highest_;  // sequence number
  std::uint32_t credit_due_ = 0;
};

}  // namespace takt::streams::sfp
