// A frame receiver as a CORBA object, and the client's function that makes a sender to it.
#pragma once

#include <memory>
#include <string>

#include <takt/corba.h>
#include <takt/frames/frames.h>
#include <takt/orb/frames.h>

#include "Takt_FramesC.h"
#include "Takt_FramesS.h"

namespace takt::frames {

// Reports the receiver's address and its statistics of arrivals. Thread-safe.
class ReceiverServant final : public CORBA::servant_traits<Takt::Frames::Receiver>::base_type {
 public:
  // Shares ownership with the code that receives the frames.
  explicit ReceiverServant(std::shared_ptr<FrameReceiver> receiver) : receiver_(std::move(receiver)) {}

  Takt::Frames::Stream where() override;
  Takt::Frames::Report make_report() override;

 private:
  const std::shared_ptr<FrameReceiver> receiver_;
};

// Asks the receiver for its address and makes a sender to it. Blocks for the call. Throws the call's
// exceptions and those of FrameStreams::sender().
FrameSender make_sender(const IDL::traits<Takt::Frames::Receiver>::ref_type& to,
                        std::size_t packet_bytes = 0);

}  // namespace takt::frames
