// What references say of where their objects are.
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

// One that we understand, and whose address it has.
struct KnownProfile {
  const transport::Transport* transport;
  giop::IiopProfile profile;
};
// Nothing: no transport here has profiles of that kind, or it does not hold together. Allocates.
std::optional<KnownProfile> read_profile(const References& references, const cdr::TaggedProfile& tagged);

// Of our objects: a profile for each transport, in the order in which its endpoints come first. `where`: null
// for where the ORB listens. Never empty: without any endpoint, one IIOP profile without an address.
// Allocates.
std::vector<cdr::TaggedProfile> make_profiles(const References& references, ByteView object_key,
                                              const Publication* where);

}  // namespace takt::reference
