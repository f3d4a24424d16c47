// Counts the allocations of this program.
#pragma once

#include <cstddef>

namespace takt {

// How often operator new has been called so far, by all threads.
std::size_t allocations();

}  // namespace takt
