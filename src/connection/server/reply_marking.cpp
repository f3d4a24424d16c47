#include "connection/server/reply_marking.h"

#include "connection/policies/quality_marking.h"

namespace takt::connection {

using transport::MarkedBy;
using transport::Marking;

void ReplyMarking::follow(transport::Stream& stream, const CoreOptions& options, std::int16_t priority,
                          const std::optional<giop::WireQuality>& quality) {
  Marking marking;
  MarkedBy by = MarkedBy::request_class;
  if (options.marks_quality && quality)
    marking = quality_marking(
        marking_row(static_cast<CommunicationClass>(quality->communication_class), quality->importance));
  if (!marking.any() && priority >= 0) {
    marking = options.marking.at(priority);
    by = MarkedBy::request_priority;
  }
  if (marking.any()) {
    const auto whole = marked(options.streams, marking, by);
    marking = {whole.dscp, whole.priority};
  }
  if (marking == present_) return;
  present_ = marking;
  stream.mark(marking, by);
}

}  // namespace takt::connection
