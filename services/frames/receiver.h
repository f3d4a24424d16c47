// A receiver of frames as a CORBA object, and how its client begins to send to it.
#pragma once

#include <memory>
#include <string>

#include <takt/corba.h>
#include <takt/frames/frames.h>
#include <takt/orb/frames.h>

#include "Takt_FramesC.h"
#include "Takt_FramesS.h"

namespace takt::frames {

// Says where the frames are to go, and how they arrive. Any thread.
class ReceiverServant final : public CORBA::servant_traits<Takt::Frames::Receiver>::base_type {
 public:
  // Shared with whoever receives the frames.
  explicit ReceiverServant(std::shared_ptr<FrameReceiver> receiver) : receiver_(std::move(receiver)) {}

  Takt::Frames::Stream where() override;
  Takt::Frames::Report make_report() override;

 private:
  const std::shared_ptr<FrameReceiver> receiver_;
};

// Asks the receiver where it is, so it throws what calls throw, and what FrameStreams::sender() does.
FrameSender make_sender(const IDL::traits<Takt::Frames::Receiver>::ref_type& to,
                        std::size_t packet_bytes = 0);

}  // namespace takt::frames
