// GIOP versions and their differences, as data.
#pragma once

#include <array>
#include <cstdint>

namespace takt::giop {

struct Version {
  std::uint8_t major = 1;
  std::uint8_t minor = 2;
  friend constexpr bool operator==(const Version&, const Version&) = default;
};

inline constexpr std::uint8_t highest_minor = 2;  // the newest that this ORB speaks

// CORBA 3.0.3, 15.2 to 15.4 and 15.9.
struct VersionRules {
  bool flag_bits;       // octet 6 of the header is a set of flags; before, a boolean byte order
  bool fragments;       // Request and Reply may be fragmented
  bool fragment_ids;    // fragments carry the request id, so that other messages may interleave
  bool target_address;  // a request names its target by key, profile or reference; before, by key
  bool contexts_last;   // service contexts come last in the head of Request and Reply; before, first
  bool aligned_bodies;  // bodies of Request and Reply are aligned to 8
  bool principal;       // a Request's head ends with a Principal
  // Offsets in a Request without service contexts, from the start of the message.
  std::uint8_t request_id_index;
  std::uint8_t address_index;
};

inline constexpr std::array<VersionRules, highest_minor + 1> version_rules{{
    // bits, parts, ids, target, last, aligned, principal
    {false, false, false, false, false, false, true, 16, 24},
    {true, true, false, false, false, false, true, 16, 24},
    {true, true, true, true, true, true, false, 12, 20},
}};

// Precondition: version_known(version).
constexpr const VersionRules& rules_of(Version version) { return version_rules[version.minor]; }
constexpr bool version_known(Version version) { return version.major == 1 && version.minor <= highest_minor; }

}  // namespace takt::giop
