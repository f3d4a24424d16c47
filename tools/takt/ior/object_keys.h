// Decodes the object keys of known ORBs.
#pragma once

#include "common/output.h"

namespace takt::command {

// The key's length, its text or hexadecimal digits, and what is known of the ORB that made it.
Json key_json(ByteView key);

}  // namespace takt::command
