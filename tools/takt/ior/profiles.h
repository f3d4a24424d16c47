// Tagged profiles of references.
#pragma once

#include <optional>

#include <takt/cdr/ior.h>

#include "giop/references/profile.h"
#include "ior/json.h"

namespace takt::command {

// Of the profiles whose bodies hold a host or path, a key and components; nothing of others.
std::optional<giop::ProfileForm> form_of(std::uint32_t tag);
// Whether Takt's clients can go where it leads.
inline bool is_understood(std::uint32_t tag) {
  return tag == giop::internet_profile || tag == giop::unix_profile || tag == giop::shared_memory_profile ||
         tag == giop::udp_profile;
}

// Its tag and name, what it says, or "error" with the octet from which on it makes no sense.
Json profile_json(const cdr::TaggedProfile& profile);

}  // namespace takt::command
