// By which ways calls may go, and how their connections are marked.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reference/policies/call_marking.h"
#include "reference/policies/protocol_choice.h"
#include "reference/target.h"

namespace takt::reference {
class References;
}

namespace takt::client {

class Client;

// A route of a target, and one of its addresses.
struct Way {
  const reference::Route* route;
  const reference::Route::Address* address;
  const reference::ProtocolChoice* choice;  // with what it says; null: as the ORB's options say
  bool lite_alone = false;                  // the choices leave nothing but GIOPlite there
};
// All that may be tried, in the order to try them: that of the reference, unless there are choices.
std::vector<Way> ways_to(const reference::Target& target, const reference::ProtocolChoices* choices);
// What the ORB's policy controls leave of it. INV_POLICY: it is nothing.
std::vector<Way> allowed_ways_to(const reference::References& references, const reference::Target& target,
                                 const reference::ProtocolChoices* choices);

// By what a call is marked that goes by that way, from a thread of that priority.
reference::CallMarks marks_of(const Client& client, const Way& way, std::optional<std::int16_t> of_thread,
                              std::uint8_t quality_row);
// The priorities from which on connections by that way are marked in another way, where each thread's calls
// have their own; none: all are marked alike.
std::vector<std::int16_t> marked_from(const Client& client, const Way& way);

// Whether connections to the address are other than usual, by that choice.
bool is_special(const reference::Route::Address& address, const reference::ProtocolChoice& choice);
// The address as such a connection has it, which it shares with none that is otherwise.
reference::Route::Address with_choice(Client& client, const reference::Route::Address& address,
                                      const reference::ProtocolChoice& choice,
                                      const reference::CallMarks& marks = {});
// The address as the way's choice and those marks have it; nothing: as it is. Says once where a lane or band
// has a priority below all that are marked.
std::optional<reference::Route::Address> special_address(Client& client, const Way& way,
                                                         const reference::CallMarks& marks);

}  // namespace takt::client
