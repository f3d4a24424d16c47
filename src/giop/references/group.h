// References to multicast object groups: MIOP's profile and its component (OMG MIOP 1.0; CORBA 3.x,
// Unreliable Multicast).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <takt/cdr/ior.h>

#include "giop/references/profile.h"

namespace takt::giop {

inline constexpr std::uint32_t group_profile = 3;          // TAG_UIPMC
inline constexpr std::uint32_t group_component = 39;       // TAG_GROUP
inline constexpr std::uint32_t group_iiop_component = 40;  // TAG_GROUP_IIOP: the destination of two-way calls

// Identifies a group. The version increases when the reference's other contents change, so it does not
// distinguish groups.
struct Group {
  std::string domain;
  std::uint64_t id = 0;
  std::uint32_t reference_version = 0;

  friend bool same_group(const Group& left, const Group& right) {
    return left.id == right.id && left.domain == right.domain;
  }
  friend bool operator==(const Group&, const Group&) = default;
};

struct GroupProfile {
  HostPort address;  // an IPv4 or IPv6 multicast address
  Group group;
  std::vector<TaggedComponent> components;  // all components as received, including the group's
};

// Empty if it is not a group profile of major version 1, or is malformed.
std::optional<GroupProfile> read_group_profile(const cdr::TaggedProfile& tagged);
// `components` follow the group's own.
cdr::TaggedProfile write_group_profile(const HostPort& address, const Group& group,
                                       const std::vector<TaggedComponent>& components = {});

TaggedComponent make_group_component(const Group& group);
std::optional<Group> read_group_component(const TaggedComponent& component);

// Parses the text after "corbaloc:miop:", for example "1.0@1.0-domain-id-version/239.1.2.3:5000". The first
// version, and the reference's, are optional; IPv6 addresses are in brackets.
std::optional<GroupProfile> parse_group_url(std::string_view text);
std::string to_url(const GroupProfile& profile);

}  // namespace takt::giop
