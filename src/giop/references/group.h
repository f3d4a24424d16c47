// References to groups of objects that one multicast request reaches: MIOP's profile and its component (OMG
// MIOP 1.0; CORBA 3.x, Unreliable Multicast).
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
inline constexpr std::uint32_t group_iiop_component = 40;  // TAG_GROUP_IIOP: where two-way calls may go

// Which group. The version grows when what the reference says of it changes, so it does not tell groups
// apart.
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
  Address address;  // of IPv4 or IPv6, for multicast
  Group group;
  std::vector<TaggedComponent> components;  // as they came, the group's among them
};

// Nothing: it is none, or does not hold together. A profile of another major version than 1 is none.
std::optional<GroupProfile> read_group_profile(const cdr::TaggedProfile& tagged);
// With `components` behind the group's own.
cdr::TaggedProfile write_group_profile(const Address& address, const Group& group,
                                       const std::vector<TaggedComponent>& components = {});

TaggedComponent make_group_component(const Group& group);
std::optional<Group> read_group_component(const TaggedComponent& component);

// What follows "corbaloc:miop:": "1.0@1.0-domain-id-version/239.1.2.3:5000". The first version, and the
// reference's, may be left out; IPv6 addresses stand in brackets.
std::optional<GroupProfile> parse_group_url(std::string_view text);
std::string to_url(const GroupProfile& profile);

}  // namespace takt::giop
