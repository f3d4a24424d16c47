// Shapes of bodies that cost a receiver much more than they cost the sender: few random bodies have them.
#pragma once

#include <cstdint>

#include "grammar/bodies.h"
#include "grammar/random.h"
#include "grammar/writer.h"

namespace takt::fuzz::live {

// Writes one of them where the content can have any; false, and nothing written: it cannot. `promised`:
// octets that the message is to announce besides.
bool write_recipe(Writer& to, Random& random, Content content, std::uint32_t& promised);

}  // namespace takt::fuzz::live
