// Tagged profiles of references.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <takt/cdr/ior.h>

#include "common/output.h"
#include "giop/references/profile.h"

namespace takt::command {

// The form of a profile with a host or path, an object key and components; empty for other profiles.
std::optional<giop::ProfileLayout> form_of(std::uint32_t tag);
// Whether Takt's clients can use profiles with this tag.
inline bool is_understood(std::uint32_t tag) {
  return tag == giop::internet_profile || tag == giop::unix_profile || tag == giop::shared_memory_profile ||
         tag == giop::udp_profile;
}

// The readable profiles that Takt's clients can use.
std::vector<giop::IiopProfile> understood_profiles(const cdr::Ior& ior);
// The ORB that made the profile; empty if it does not say.
std::optional<std::uint32_t> orb_type_of(const giop::IiopProfile& profile);

std::string profile_name(std::uint32_t tag);

// The profile's tag, name and contents. If it is malformed, "error" has the octet at which reading failed.
Json profile_json(const cdr::TaggedProfile& profile);

}  // namespace takt::command
