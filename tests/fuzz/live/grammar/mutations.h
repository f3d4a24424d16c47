// Changes valid octets to contain false numbers and damage.
#pragma once

#include <vector>

#include "grammar/bodies.h"
#include "grammar/random.h"
#include "grammar/writer.h"

namespace takt::fuzz::live {

// A number that is rarely valid as a count, offset or tag with `size` octets around it.
std::uint32_t nasty_number(Random& random, std::size_t size);
// Makes one to four changes, mostly to numbers that say what follows.
void mutate(Random& random, Body& body);
// The same for octets of unknown structure.
void damage(Random& random, Octets& octets);

}  // namespace takt::fuzz::live
