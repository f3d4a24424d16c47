#include "frames/receiver.h"

namespace takt::frames {

Takt::Frames::Stream ReceiverServant::where() {
  const FrameStream& stream = receiver_->stream();
  return {stream.transport, stream.host, stream.port, stream.source, stream.clock_rate};
}

Takt::Frames::Report ReceiverServant::make_report() {
  const FrameReport report = receiver_->report();
  return {report.fraction_lost, report.cumulative_lost, report.highest_sequence,
          report.jitter,        report.frames,          report.incomplete,
          report.late,          report.refused};
}

FrameSender make_sender(const IDL::traits<Takt::Frames::Receiver>::ref_type& to, std::size_t packet_bytes) {
  const Takt::Frames::Stream where = to->where();
  return FrameStreams::of(to->_get_orb())
      .sender({where.host(), where.port(), where.source(), where.clock_rate(), where.transport()},
              packet_bytes);
}

}  // namespace takt::frames
