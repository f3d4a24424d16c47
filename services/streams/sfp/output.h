// The producer's end of a flow over SFP.
#pragma once

#include <vector>

#include <takt/os/clock.h>

#include "streams/flow/flow.h"
#include "streams/sfp/datagrams.h"
#include "streams/sfp/refusals.h"

namespace takt::streams::sfp {

// Asks the consumer to take frames (Start), again every 100 ms until it answers. Frames before the answer are
// lost, and those for which the consumer has given no credit. If it gives none for a second, the answer to
// another Start gives it all credit again. It never waits.
class Output final : public FrameOutput {
 public:
  struct Options {
    std::uint32_t credit = 0;  // frames under way; 0: any number
    std::size_t packet_bytes = FrameSender::usual_datagram_bytes;
    int dscp = -1;
  };
  // Throws CORBA::TRANSIENT for a host that is no address, and if the system refuses.
  Output(const std::string& host, std::uint16_t port, const Options& options);
  // Says that no more frames come.
  ~Output() override;
  // False if the frame is lost. Throws CORBA::COMM_FAILURE if the consumer's host has said for a second that
  // nothing receives there.
  bool send(std::span<const std::uint8_t> frame, std::uint32_t timestamp) override;

 private:
  void ask_to_start(os::TimePoint now);
  void take_answers();
  bool has_credit() const { return options_.credit == 0 || credit_ > 0; }
  bool send_packet();
  void note(int error);

  const Options options_;
  const std::size_t packet_bytes_;
  const Datagrams socket_;
  std::vector<std::uint8_t> packet_, answer_;
  bool is_started_ = false;
  std::uint32_t credit_ = 0, sequence_ = 0;
  os::TimePoint next_start_;  // when to ask if there is no answer or credit
  Refusals refusals_{os::Clock::now()};
};

}  // namespace takt::streams::sfp
