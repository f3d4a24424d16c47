// Over which transports calls may go, and with which options.
#pragma once

#include <cstdint>
#include <vector>

#include <takt/transport/stream_options.h>

#include "connection/target.h"

namespace takt::connection {

class OrbCore;

struct ProtocolChoice {
  std::uint32_t protocol = 0;  // the transport's profile tag
  transport::StreamOverrides streams;
};
// The most wanted first; others are not used.
using ProtocolChoices = std::vector<ProtocolChoice>;

// A route of a target, and one of its addresses.
struct Way {
  const Route* route;
  const Route::Address* address;
  const transport::StreamOverrides* streams;  // null: none
};
// All that may be tried, in the order to try them: that of the reference, unless there are choices.
std::vector<Way> ways_to(const Target& target, const ProtocolChoices* choices);

// The address as a connection with these options has it, which it shares with no other.
Route::Address with_options(OrbCore& core, const Route::Address& address,
                            const transport::StreamOverrides& streams);

}  // namespace takt::connection
