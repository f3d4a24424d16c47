// Over which transports calls may go, with which messaging and options.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <takt/transport/stream_options.h>

#include "connection/policies/call_marking.h"
#include "connection/references/target.h"

namespace takt::connection {

class OrbCore;

struct ProtocolChoice {
  std::uint32_t protocol = 0;  // the transport's profile tag
  transport::StreamOverrides streams = {};
  std::optional<giop::Messaging> messaging = {};  // nothing: as the ORB's options say
  bool says_lite() const { return messaging && messaging->short_heads; }
};
// The most wanted first; others are not used.
using ProtocolChoices = std::vector<ProtocolChoice>;

// A route of a target, and one of its addresses.
struct Way {
  const Route* route;
  const Route::Address* address;
  const ProtocolChoice* choice;  // with what it says; null: as the ORB's options say
  bool lite_alone = false;       // the choices leave nothing but GIOPlite there
};
// All that may be tried, in the order to try them: that of the reference, unless there are choices.
std::vector<Way> ways_to(const Target& target, const ProtocolChoices* choices);
// What the ORB's policy controls leave of it. INV_POLICY: it is nothing.
std::vector<Way> allowed_ways_to(const OrbCore& core, const Target& target, const ProtocolChoices* choices);

// By what a call is marked that goes by that way, from a thread of that priority.
CallMarks marks_of(const OrbCore& core, const Way& way, std::optional<std::int16_t> of_thread,
                   std::uint8_t quality_row);
// The priorities from which on connections by that way are marked in another way, where each thread's calls
// have their own; none: all are marked alike.
std::vector<std::int16_t> marked_from(const OrbCore& core, const Way& way);

// Whether connections to the address are other than usual, by that choice.
bool is_special(const Route::Address& address, const ProtocolChoice& choice);
// The address as such a connection has it, which it shares with none that is otherwise.
Route::Address with_choice(OrbCore& core, const Route::Address& address, const ProtocolChoice& choice,
                           const CallMarks& marks = {});
// The address as the way's choice and those marks have it; nothing: as it is. Says once where a lane or band
// has a priority below all that are marked.
std::optional<Route::Address> special_address(OrbCore& core, const Way& way, const CallMarks& marks);

}  // namespace takt::connection
