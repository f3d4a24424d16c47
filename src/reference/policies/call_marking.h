// How the packets of calls are marked: by their priority, or by what they say of their quality (the papers'
// RIOP).
#pragma once

#include <cstdint>
#include <optional>

#include <takt/reference/quality.h>
#include <takt/transport/marking.h>

namespace takt::reference {

struct ConnectionOptions;

// Equal for calls that are marked alike; 0: by nothing that they say. At most 15.
std::uint8_t marking_row(CommunicationClass communication, std::uint32_t importance);
// That of the row. docs/user/real-time.md has the table.
transport::Marking quality_marking(std::uint8_t row);

// What calls are marked by.
struct CallMarks {
  std::optional<std::int16_t> priority = {};  // RT-CORBA's, the highest that their connection is for
  transport::Marking of_quality = {};         // what they say of their quality
};
// As the ORB's options mark them: a class says more of a call than its priority does.
struct CallMarking {
  transport::Marking marking;
  transport::MarkedBy by;
};
CallMarking marking_by_options(const ConnectionOptions& options, const CallMarks& marks);

}  // namespace takt::reference
