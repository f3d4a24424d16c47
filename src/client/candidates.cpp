#include "client/candidates.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include <takt/cdr/exception.h>

#include "client/client.h"
#include "reference/policies/call_marking.h"

namespace takt::client {

namespace {

// Whether a choice permits GIOP instead of GIOPlite, or leaves it to the ORB.
bool may_be_plain(const reference::ProtocolChoices& choices, std::uint32_t protocol) {
  return std::ranges::any_of(choices, [&](const reference::ProtocolChoice& choice) {
    return choice.protocol == protocol && !choice.requires_lite();
  });
}

void put_candidates(const reference::Target& target, const reference::ProtocolChoices& choices,
                    const reference::ProtocolChoice& choice, std::vector<Candidate>& candidates) {
  const bool lite = choice.requires_lite();
  const bool lite_only = lite && !may_be_plain(choices, choice.protocol);
  for (const reference::Route& route : target.routes)
    for (const reference::Route::Address& address : route.server->addresses)
      if (address.protocol == choice.protocol && (!lite || route.server->speaks_lite))
        candidates.push_back({&route, &address, &choice, lite_only});
}

[[noreturn]] void refuse(const std::string& why) { throw CORBA::INV_POLICY(0, CORBA::COMPLETED_NO, why); }

[[noreturn]] void refuse(const reference::PolicyControl& control, const std::string& why) {
  refuse("the policy control '" + std::string(control.name()) + "' of a plug-in " + why);
}

std::vector<std::size_t> asked(const reference::PolicyControl& control,
                               const std::vector<Candidate>& candidates) {
  std::vector<reference::PolicyControl::Way> shown;
  shown.reserve(candidates.size());
  for (const Candidate& candidate : candidates)
    shown.push_back({candidate.address->endpoint, candidate.address->protocol});
  try {
    return control.choose(shown);
  } catch (const std::exception& thrown) {
    refuse(control, std::string("fails: ") + thrown.what());
  } catch (...) {
    refuse(control, "fails, and throws an exception that is not a std::exception");
  }
}

std::vector<Candidate> chosen_by(const reference::PolicyControl& control,
                                 const std::vector<Candidate>& candidates) {
  std::vector<Candidate> chosen;
  for (const std::size_t place : asked(control, candidates)) {
    if (place >= candidates.size()) refuse(control, "chooses a way that does not exist");
    chosen.push_back(candidates[place]);
  }
  if (!chosen.empty()) return chosen;
  std::string refused;
  for (const Candidate& candidate : candidates)
    refused += (refused.empty() ? "" : ", ") + to_text(candidate.address->endpoint);
  refuse(control, "allows none of the ways by which the reference can be reached: " + refused);
}

}  // namespace

std::vector<Candidate> candidates_of(const reference::Target& target,
                                     const reference::ProtocolChoices* choices) {
  std::vector<Candidate> candidates;
  if (!choices) {
    for (const reference::Route& route : target.routes)
      for (const reference::Route::Address& address : route.server->addresses)
        candidates.push_back({&route, &address, nullptr});
  } else {
    for (const reference::ProtocolChoice& choice : *choices)
      put_candidates(target, *choices, choice, candidates);
  }
  return candidates;
}

namespace {

// The other addresses of a client that calls through a firewall cannot be reached. An offer is only a claim:
// it puts an address before neighbours of the same protocol, and never before one with TLS.
[[gnu::cold, gnu::noinline]] void put_offered_first(const Client& client,
                                                    std::vector<Candidate>& candidates) {
  std::size_t offered = 0;
  const auto protocol = [&](std::size_t i) -> const auto& {
    return candidates[i].address->endpoint.protocol;
  };
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (i != 0 && protocol(i) != protocol(i - 1)) offered = i;
    bool was_offered = false;
    for (const ConnectionOverride* const other : client.connection_overrides)
      was_offered |= other->was_offered(*candidates[i].route, *candidates[i].address);
    if (!was_offered) continue;
    for (std::size_t at = i; at > offered; --at) std::swap(candidates[at], candidates[at - 1]);
    ++offered;
  }
}

bool may_be_offered(const Client& client) {
  for (const ConnectionOverride* const other : client.connection_overrides)
    if (other->may_apply_to_any()) return true;
  return false;
}

}  // namespace

std::vector<Candidate> allowed_candidates_of(const reference::References& references,
                                             const reference::Target& target,
                                             const reference::ProtocolChoices* choices) {
  std::vector<Candidate> candidates = candidates_of(target, choices);
  if (candidates.empty() && choices)
    refuse("the ClientProtocolPolicy names no protocol by which the reference can be reached");
  const auto& controls = references.controls.all();
  for (const auto& control : controls)
    if (!candidates.empty()) candidates = chosen_by(*control, candidates);
  const Client& client = client_of(references);
  if (!choices && controls.empty() && candidates.size() > 1 && may_be_offered(client))
    put_offered_first(client, candidates);
  return candidates;
}

bool changes_connections(const reference::Route::Address& address, const reference::ProtocolChoice& choice) {
  return choice.streams.any() || choice.messaging.value_or(address.messaging) != address.messaging;
}

namespace {

using transport::Marking;
using transport::MarkingByPriority;

// Whether the transport sends packets over a network.
bool has_packets(const Client& client, const reference::Route::Address& address) {
  const transport::Transport* const transport =
      client.references.transports.find_by_profile(address.protocol);
  return transport && transport->profile_form().has_port;
}

transport::StreamOptions marked_by_options(const Client& client, const reference::Route::Address& address,
                                           const reference::MarkingInputs& marks) {
  if (!has_packets(client, address)) return address.streams;
  const auto [marking, by] = reference::marking_by_options(client.references.connections, marks);
  return marked(address.streams, marking, by);
}

const MarkingByPriority& marking_of(const Client& client, const Candidate& candidate) {
  const bool by_policy = candidate.choice && !candidate.choice->streams.by_priority.empty();
  return by_policy ? candidate.choice->streams.by_priority : client.references.connections.marking;
}

void report_unmarked(const Client& client, const Candidate& candidate,
                     const reference::MarkingInputs& marks) {
  const MarkingByPriority& marking = marking_of(client, candidate);
  if (marking.empty() || !candidate.route->server->by_priority || !marks.priority) return;
  if (marking.covers(*marks.priority) || !client.report || !has_packets(client, *candidate.address)) return;
  const giop::PriorityBand& serves = candidate.address->serves;
  client.report("connections to " + to_text(candidate.address->endpoint) + " for priorities " +
                std::to_string(serves.low) + " to " + std::to_string(serves.high) + " are not marked: " +
                (&marking == &client.references.connections.marking
                     ? "-ORBTrafficClasses and -ORBSocketPriorities"
                     : "the traffic classes of the ClientProtocolPolicy") +
                " begin with priority " + std::to_string(marking.lowest()));
}

}  // namespace

reference::MarkingInputs marks_of(const Client& client, const Candidate& candidate,
                                  std::optional<std::int16_t> of_thread, std::uint8_t quality_row) {
  const reference::ServerRoute& server = *candidate.route->server;
  return {.priority = server.by_priority ? candidate.address->serves.high : server.priority_of(of_thread),
          .of_quality = client.references.connections.marks_quality ? reference::quality_marking(quality_row)
                                                                    : Marking()};
}

std::vector<std::int16_t> marked_from(const Client& client, const Candidate& candidate) {
  std::vector<std::int16_t> from;
  const MarkingByPriority& marking = marking_of(client, candidate);
  if (marking.empty() || !has_packets(client, *candidate.address)) return from;
  from.push_back(0);
  for (const MarkingByPriority::Step& step : marking.steps) from.push_back(step.from);
  return from;
}

reference::Route::Address with_choice(Client& client, const reference::Route::Address& address,
                                      const reference::ProtocolChoice& choice,
                                      const reference::MarkingInputs& marks) {
  reference::Route::Address changed = address;
  changed.messaging = choice.messaging.value_or(address.messaging);
  changed.streams = choice.streams.over(
      choice.streams.says_dscp(marks.priority) ? address.streams : marked_by_options(client, address, marks),
      marks.priority);
  const std::string description = std::to_string(address.connection_id) + to_text(changed.messaging) +
                                  " with " + choice.streams.text() + " marked " +
                                  std::to_string(changed.streams.dscp) + "," +
                                  std::to_string(changed.streams.priority) + (address.road ? " by road" : "");
  changed.connection_id =
      client.references.connection_ids.of(description, SIZE_MAX);  // settings may have any length
  return changed;
}

std::optional<reference::Route::Address> changed_address(Client& client, const Candidate& candidate,
                                                         const reference::MarkingInputs& marks) {
  static const reference::ProtocolChoice as_usual;
  const reference::Route::Address& address = *candidate.address;
  report_unmarked(client, candidate, marks);
  if (address.road && (candidate.choice || !client.references.controls.all().empty())) {
    reference::Route::Address by_tcp = address;  // which a policy, or a plug-in, has chosen
    by_tcp.road.reset();
    return with_choice(client, by_tcp, candidate.choice ? *candidate.choice : as_usual, marks);
  }
  const bool chosen = candidate.choice && changes_connections(address, *candidate.choice);
  if (!chosen && !client.references.connections.marks_calls()) return std::nullopt;
  if (!chosen && marked_by_options(client, address, marks) == address.streams) return std::nullopt;
  return with_choice(client, address, chosen ? *candidate.choice : as_usual, marks);
}

}  // namespace takt::client
