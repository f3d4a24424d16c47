#include "server/intake/reply_marking.h"

#include "reference/policies/call_marking.h"

namespace takt::server {

void ReplyMarking::follow(transport::Stream& stream, const reference::ConnectionOptions& options,
                          std::int16_t priority, const std::optional<giop::WireQuality>& quality) {
  reference::MarkingInputs marks;
  if (priority >= 0) marks.priority = priority;
  if (options.marks_quality && quality)
    marks.of_quality = reference::quality_marking(reference::marking_row(
        static_cast<CommunicationClass>(quality->communication_class), quality->importance));
  auto [marking, by] = reference::marking_by_options(options, marks);
  if (marking.any()) {
    const auto whole = marked(options.streams, marking, by);
    marking = {whole.dscp, whole.priority};
  }
  if (marking == present_) return;
  present_ = marking;
  any_ = marking.any();
  stream.mark(marking, by);
}

}  // namespace takt::server
