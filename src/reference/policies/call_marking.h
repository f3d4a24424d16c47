// Packet marking of calls by their priority, or by their quality (the papers' RIOP).
#pragma once

#include <cstdint>
#include <optional>

#include <takt/reference/quality.h>
#include <takt/transport/marking.h>

namespace takt::reference {

struct ConnectionOptions;

// Row of the marking table: equal for calls with equal marking, at most 15. Row 0 means no marking.
std::uint8_t marking_row(CommunicationClass communication, std::uint32_t importance);
// The marking of a row. docs/user/real-time.md has the table.
transport::Marking quality_marking(std::uint8_t row);

// The properties of calls that determine their marking.
struct MarkingInputs {
  std::optional<std::int16_t> priority = {};  // the highest RT-CORBA priority of their connection
  transport::Marking of_quality = {};         // the marking for their quality
};
// The marking by the ORB's options. A marking by quality prevails over one by priority.
struct CallMarking {
  transport::Marking marking;
  transport::MarkedBy by;
};
CallMarking marking_by_options(const ConnectionOptions& options, const MarkingInputs& marks);

}  // namespace takt::reference
