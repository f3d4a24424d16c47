#include "connection/policies/client_protocols.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include <takt/cdr/exception.h>

#include "connection/orb_core.h"

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

Route::Address with_choice(OrbCore& core, const Route::Address& address, const ProtocolChoice& choice) {
  Route::Address special = address;
  special.messaging = choice.messaging.value_or(address.messaging);
  const std::string description =
      std::to_string(address.connection_id) + to_text(special.messaging) + " with " + choice.streams.text();
  special.connection_id = core.connection_ids.of(description, SIZE_MAX);  // settings are as long as they are
  special.streams = choice.streams.over(address.streams);
  return special;
}

}  // namespace takt::connection
