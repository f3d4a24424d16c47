// The addresses that calls may use, and the marking of their connections.
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

// An address of a route of a target.
struct Candidate {
  const reference::Route* route;
  const reference::Route::Address* address;
  const reference::ProtocolChoice* choice;  // the protocol choice that applies; null: the ORB's options
  bool lite_only = false;                   // the choices allow only GIOPlite here
};
// All addresses to try, in order: that of the reference, unless there are choices.
std::vector<Candidate> candidates_of(const reference::Target& target,
                                     const reference::ProtocolChoices* choices);
// The same after the ORB's policy controls. Throws INV_POLICY if they leave none. Unless choices or policy
// controls say the order, addresses whose clients have offered their connections come before the addresses of
// the same protocol that stand beside them.
std::vector<Candidate> allowed_candidates_of(const reference::References& references,
                                             const reference::Target& target,
                                             const reference::ProtocolChoices* choices);

// The properties of a call to that candidate, from a thread of that priority, that determine its marking.
reference::MarkingInputs marks_of(const Client& client, const Candidate& candidate,
                                  std::optional<std::int16_t> of_thread, std::uint8_t quality_row);
// The priorities at which the marking of connections to that candidate changes, if calls carry their thread's
// priority. Empty if all are marked alike.
std::vector<std::int16_t> marked_from(const Client& client, const Candidate& candidate);

// Whether calls with that choice need other connections to the address than calls without one.
bool changes_connections(const reference::Route::Address& address, const reference::ProtocolChoice& choice);
// The address for such a connection, with an id that only equal connections share.
reference::Route::Address with_choice(Client& client, const reference::Route::Address& address,
                                      const reference::ProtocolChoice& choice,
                                      const reference::MarkingInputs& marks = {});
// The address with the candidate's choice and the marks applied; nullopt if nothing changes. Reports once if
// a lane or band has a priority below all marked ones.
std::optional<reference::Route::Address> changed_address(Client& client, const Candidate& candidate,
                                                         const reference::MarkingInputs& marks);

}  // namespace takt::client
