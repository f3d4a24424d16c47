#include "reference/policies/call_marking.h"

#include "reference/policies/connection_options.h"

namespace takt::reference {

namespace {

// Code points for importance 0, 1 to 2, and 3 or more; rows in the order of CommunicationClass. They are the
// RFC 4594 classes for low-latency data (AF2x), conferencing (AF4x), bulk (CS1, AF1x) and streaming (AF3x).
// Higher importance means a lower drop precedence. -1: not marked.
constexpr int steps = 3;
constexpr int code_points[] = {-1, 20, 18,   // message
                               38, 36, 34,   // isochronous
                               8,  12, 10,   // burst
                               30, 28, 26};  // message_stream

}  // namespace

std::uint8_t marking_row(CommunicationClass communication, std::uint32_t importance) {
  if (communication > CommunicationClass::message_stream) return 0;  // not a known class
  const int step = importance == 0 ? 0 : importance < 3 ? 1 : 2;
  return static_cast<std::uint8_t>(static_cast<int>(communication) * steps + step);
}

transport::Marking quality_marking(std::uint8_t row) { return {.dscp = code_points[row], .priority = -1}; }

CallMarking marking_by_options(const ConnectionOptions& options, const MarkingInputs& marks) {
  if (marks.of_quality.any()) return {marks.of_quality, transport::MarkedBy::request_class};
  const auto marking = marks.priority ? options.marking.at(*marks.priority) : transport::Marking();
  return {marking, transport::MarkedBy::request_priority};
}

}  // namespace takt::reference
