// Object keys, as far as they say what they are.
#pragma once

#include "ior/json.h"

namespace takt::command {

// Its length, text or hexadecimal digits, and what is known of whoever made it.
Json key_json(ByteView key);

}  // namespace takt::command
