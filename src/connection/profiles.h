// What references to our objects say of where they are.
#pragma once

#include <vector>

#include <takt/base/bytes.h>
#include <takt/cdr/ior.h>

#include "connection/publication.h"

namespace takt::connection {

class OrbCore;

// A profile for each transport, in the order in which its endpoints come first. `where`: null for where the
// ORB listens. Never empty: without any endpoint, one IIOP profile without an address. Allocates.
std::vector<cdr::TaggedProfile> make_profiles(const OrbCore& core, ByteView object_key,
                                              const Publication* where);

}  // namespace takt::connection
