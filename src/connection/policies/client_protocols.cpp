#include "connection/policies/client_protocols.h"

#include "connection/orb_core.h"

namespace takt::connection {

namespace {

void put_ways(const Target& target, const ProtocolChoice* choice, std::vector<Way>& ways) {
  for (const Route& route : target.routes)
    for (const Route::Address& address : route.addresses)
      if (!choice || address.protocol == choice->protocol)
        ways.push_back({&route, &address, choice && choice->streams.any() ? &choice->streams : nullptr});
}

}  // namespace

std::vector<Way> ways_to(const Target& target, const ProtocolChoices* choices) {
  std::vector<Way> ways;
  if (!choices) put_ways(target, nullptr, ways);
  if (choices)
    for (const ProtocolChoice& choice : *choices) put_ways(target, &choice, ways);
  return ways;
}

Route::Address with_options(OrbCore& core, const Route::Address& address,
                            const transport::StreamOverrides& streams) {
  Route::Address special = address;
  special.connection_id =
      core.connection_id(std::to_string(address.connection_id) + " with " + streams.text());
  special.streams = streams.over(address.streams);
  return special;
}

}  // namespace takt::connection
