// The options of local roads.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace takt::roads {

// Bits of reference::RoadOffer::roads.
enum class Road : std::uint8_t { unix_domain = 1, shared_memory = 2 };
inline constexpr std::uint8_t all_roads = 3;
constexpr bool has(std::uint8_t roads, Road road) { return (roads & static_cast<std::uint8_t>(road)) != 0; }

// The roads that an ORB offers as a server, and takes as a client. `automatic` is `on` in programs that have
// the part, and quiet about the lack of it.
enum class RoadChoice : std::uint8_t { off, unix_domain, shared_memory, on, automatic };

// As bits of Road.
constexpr std::uint8_t roads_of(RoadChoice choice) {
  return choice == RoadChoice::automatic ? all_roads : static_cast<std::uint8_t>(choice);
}

struct RoadOptions {
  RoadChoice roads = RoadChoice::automatic;
  // Bound of an attempt to take a road. What is left of a millisecond pays for the system's calls.
  std::chrono::nanoseconds timeout = std::chrono::microseconds(900);
  std::string group = {};  // a group of trusted users; empty: only this user is trusted
};

}  // namespace takt::roads
