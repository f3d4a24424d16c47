// The secret in a file.
#pragma once

#include <string>

#include "adapter/keys/key_seal.h"

namespace takt::orb {

// Of -ORBKeySecretFile. INITIALIZE where it cannot be read, or has not just so many octets.
adapter::KeySeal::Secret read_key_secret(const std::string& file);

}  // namespace takt::orb
