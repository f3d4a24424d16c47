// Bodies that cost a receiver far more than their sender; random bodies rarely do.
#pragma once

#include <cstdint>

#include "grammar/bodies.h"
#include "grammar/random.h"
#include "grammar/writer.h"

namespace takt::fuzz::live {

// Writes such a body if the content allows it; if not, returns false and writes nothing. `promised`: further
// octets that the message must announce.
bool write_recipe(Writer& to, Random& random, Content content, std::uint32_t& promised);

}  // namespace takt::fuzz::live
