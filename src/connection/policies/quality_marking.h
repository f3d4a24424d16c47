// How the packets of calls are marked by what these say of their quality (the papers' RIOP).
#pragma once

#include <cstdint>

#include <takt/connection/quality.h>
#include <takt/transport/marking.h>

namespace takt::connection {

// Equal for calls that are marked alike; 0: by nothing that they say. At most 15.
std::uint8_t marking_row(CommunicationClass communication, std::uint32_t importance);
// That of the row. docs/user/real-time.md has the table.
transport::Marking quality_marking(std::uint8_t row);

}  // namespace takt::connection
