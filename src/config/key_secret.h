// The secret in a file.
#pragma once

#include <string>

#include "lookup/keys/key_seal.h"

namespace takt::orb {

// The octets of -ORBKeySecretFile. INITIALIZE where it cannot be read, has another number of octets, can be
// read by users that are neither its owner nor in its group, or can be written by any but its owner.
adapter::KeySeal::Secret read_key_secret(const std::string& file);

}  // namespace takt::orb
