// Lies and damage in octets that were well formed.
#pragma once

#include <vector>

#include "grammar/bodies.h"
#include "grammar/random.h"
#include "grammar/writer.h"

namespace takt::fuzz::live {

// A number that counts, offsets and tags seldom are right with, where `size` octets are around.
std::uint32_t nasty_number(Random& random, std::size_t size);
// One to four changes, most of them of numbers that say what follows.
void mutate(Random& random, Body& body);
// The same for octets of which nothing is known.
void damage(Random& random, Octets& octets);

}  // namespace takt::fuzz::live
