#include "connection/policies/client_protocols.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include <takt/cdr/exception.h>

#include "connection/orb_core.h"
#include "connection/policies/call_marking.h"

namespace takt::connection {

namespace {

// GIOP will do in the place of GIOPlite, since a choice says so or leaves it to the ORB.
bool may_be_plain(const ProtocolChoices& choices, std::uint32_t protocol) {
  return std::ranges::any_of(choices, [&](const ProtocolChoice& choice) {
    return choice.protocol == protocol && !choice.says_lite();
  });
}

void put_ways(const Target& target, const ProtocolChoices& choices, const ProtocolChoice& choice,
              std::vector<Way>& ways) {
  const bool lite = choice.says_lite();
  const bool lite_alone = lite && !may_be_plain(choices, choice.protocol);
  for (const Route& route : target.routes)
    for (const Route::Address& address : route.server->addresses)
      if (address.protocol == choice.protocol && (!lite || route.server->speaks_lite))
        ways.push_back({&route, &address, &choice, lite_alone});
}

[[noreturn]] void refuse(const std::string& why) { throw CORBA::INV_POLICY(0, CORBA::COMPLETED_NO, why); }

[[noreturn]] void refuse(const PolicyControl& control, const std::string& why) {
  refuse("the policy control '" + std::string(control.name()) + "' of a plug-in " + why);
}

std::vector<std::size_t> asked(const PolicyControl& control, const std::vector<Way>& ways) {
  std::vector<PolicyControl::Way> shown;
  shown.reserve(ways.size());
  for (const Way& way : ways) shown.push_back({way.address->endpoint, way.address->protocol});
  try {
    return control.choose(shown);
  } catch (const std::exception& thrown) {
    refuse(control, std::string("fails: ") + thrown.what());
  } catch (...) {
    refuse(control, "fails, and throws what is no std::exception");
  }
}

std::vector<Way> chosen_by(const PolicyControl& control, const std::vector<Way>& ways) {
  std::vector<Way> chosen;
  for (const std::size_t place : asked(control, ways)) {
    if (place >= ways.size()) refuse(control, "chooses a way that there is not");
    chosen.push_back(ways[place]);
  }
  if (!chosen.empty()) return chosen;
  std::string refused;
  for (const Way& way : ways) refused += (refused.empty() ? "" : ", ") + to_text(way.address->endpoint);
  refuse(control, "allows none of the ways by which the reference can be reached: " + refused);
}

}  // namespace

std::vector<Way> ways_to(const Target& target, const ProtocolChoices* choices) {
  std::vector<Way> ways;
  if (!choices) {
    for (const Route& route : target.routes)
      for (const Route::Address& address : route.server->addresses)
        ways.push_back({&route, &address, nullptr});
  } else {
    for (const ProtocolChoice& choice : *choices) put_ways(target, *choices, choice, ways);
  }
  return ways;
}

std::vector<Way> allowed_ways_to(const OrbCore& core, const Target& target, const ProtocolChoices* choices) {
  std::vector<Way> ways = ways_to(target, choices);
  if (ways.empty() && choices)
    refuse("the ClientProtocolPolicy names no protocol by which the reference can be reached");
  for (const auto& control : core.controls.all())
    if (!ways.empty()) ways = chosen_by(*control, ways);
  return ways;
}

bool is_special(const Route::Address& address, const ProtocolChoice& choice) {
  return choice.streams.any() || choice.messaging.value_or(address.messaging) != address.messaging;
}

namespace {

using transport::Marking;
using transport::MarkingByPriority;

// What goes over a network has packets of its own.
bool has_packets(const OrbCore& core, const Route::Address& address) {
  const transport::Transport* const transport = core.transports.find_by_profile(address.protocol);
  return transport && transport->profile_form().has_port;
}

transport::StreamOptions marked_by_options(const OrbCore& core, const Route::Address& address,
                                           const CallMarks& marks) {
  if (!has_packets(core, address)) return address.streams;
  const auto [marking, by] = marking_by_options(core.options, marks);
  return marked(address.streams, marking, by);
}

const MarkingByPriority& marking_of(const OrbCore& core, const Way& way) {
  const bool by_policy = way.choice && !way.choice->streams.by_priority.empty();
  return by_policy ? way.choice->streams.by_priority : core.options.marking;
}

void tell_unmarked(const OrbCore& core, const Way& way, const CallMarks& marks) {
  const MarkingByPriority& marking = marking_of(core, way);
  if (marking.empty() || !way.route->server->by_priority || !marks.priority) return;
  if (marking.covers(*marks.priority) || !core.tell || !has_packets(core, *way.address)) return;
  const giop::PriorityBand& serves = way.address->serves;
  core.tell("connections to " + to_text(way.address->endpoint) + " for priorities " +
            std::to_string(serves.low) + " to " + std::to_string(serves.high) + " are not marked: " +
            (&marking == &core.options.marking ? "-ORBTrafficClasses and -ORBSocketPriorities"
                                               : "the traffic classes of the ClientProtocolPolicy") +
            " begin with priority " + std::to_string(marking.lowest()));
}

}  // namespace

CallMarks marks_of(const OrbCore& core, const Way& way, std::optional<std::int16_t> of_thread,
                   std::uint8_t quality_row) {
  const ServerRoute& server = *way.route->server;
  return {.priority = server.by_priority ? way.address->serves.high : server.priority_of(of_thread),
          .of_quality = core.options.marks_quality ? quality_marking(quality_row) : Marking()};
}

std::vector<std::int16_t> marked_from(const OrbCore& core, const Way& way) {
  std::vector<std::int16_t> from;
  const MarkingByPriority& marking = marking_of(core, way);
  if (marking.empty() || !has_packets(core, *way.address)) return from;
  from.push_back(0);
  for (const MarkingByPriority::Step& step : marking.steps) from.push_back(step.from);
  return from;
}

Route::Address with_choice(OrbCore& core, const Route::Address& address, const ProtocolChoice& choice,
                           const CallMarks& marks) {
  Route::Address special = address;
  special.messaging = choice.messaging.value_or(address.messaging);
  special.streams = choice.streams.over(
      choice.streams.says_dscp(marks.priority) ? address.streams : marked_by_options(core, address, marks),
      marks.priority);
  const std::string description =
      std::to_string(address.connection_id) + to_text(special.messaging) + " with " + choice.streams.text() +
      " marked " + std::to_string(special.streams.dscp) + "," + std::to_string(special.streams.priority);
  special.connection_id = core.connection_ids.of(description, SIZE_MAX);  // settings are as long as they are
  return special;
}

std::optional<Route::Address> special_address(OrbCore& core, const Way& way, const CallMarks& marks) {
  static const ProtocolChoice as_usual;
  const Route::Address& address = *way.address;
  tell_unmarked(core, way, marks);
  const bool chosen = way.choice && is_special(address, *way.choice);
  if (!chosen && !core.options.marks_calls()) return std::nullopt;
  if (!chosen && marked_by_options(core, address, marks) == address.streams) return std::nullopt;
  return with_choice(core, address, chosen ? *way.choice : as_usual, marks);
}

}  // namespace takt::connection
