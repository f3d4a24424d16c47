// Reading and making the profiles of object references.
#pragma once

#include <optional>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/cdr/ior.h>

#include "giop/references/profile.h"
#include "reference/publication.h"

namespace takt::transport {
class Transport;
}

namespace takt::reference {

class References;

// A profile of a transport that this ORB has.
struct KnownProfile {
  const transport::Transport* transport;
  giop::IiopProfile profile;
};
// nullopt if no transport here has such profiles, or the profile is malformed. Allocates.
std::optional<KnownProfile> read_profile(const References& references, const cdr::TaggedProfile& tagged);

// Profiles for an object of this ORB: one per transport, in the order of the endpoints. A null `where` means
// the ORB's own endpoints. Never empty: without endpoints it has one IIOP profile without an address.
// Allocates.
std::vector<cdr::TaggedProfile> make_profiles(const References& references, ByteView object_key,
                                              const Publication* where);

}  // namespace takt::reference
