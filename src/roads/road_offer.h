// The offer of local roads, as references carry it.
//
//   struct LocalRoads {           // an encapsulation: octet 0 is its byte order
//     octet version;              // of this component: 1
//     octet roads;                // bits of Road, and any_host
//     octet shm_version;          // of the protocol of shared memory
//     unsigned long long place;   // of the server: a hash of the machine's boot and of its namespaces
//   };
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reference/local_roads.h"
#include "roads/road_options.h"

namespace takt::roads {

inline constexpr std::uint8_t offer_version = 1;
inline constexpr std::uint8_t any_host = 0x80;

giop::TaggedComponent make_offer(const reference::RoadOffer& offer, std::uint64_t place);
// nullopt: it is malformed, of another version, of another place, or has none of `wanted`, bits of Road.
// Shared memory of another version is left out. Input from peers.
std::optional<reference::RoadOffer> read_offer(const giop::TaggedComponent& component, std::uint64_t place,
                                               std::uint8_t wanted);

// FNV-1a, 64 bits. Not proof against people who look for equal values.
constexpr std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x100000001b3;
  return hash;
}

// The abstract name of the socket for a road beside a TCP address, as os::UnixAddress takes it. Addresses
// that two servers can have at once have different names.
std::string socket_name(const reference::RoadOffer& offer, const std::string& host, std::uint16_t port,
                        Road road);

}  // namespace takt::roads
