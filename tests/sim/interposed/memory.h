// What operator new has given out and operator delete has not got back.
#pragma once

#include <cstddef>

namespace takt::sim {

std::size_t live_blocks();
// The sizes of those made after the first `skip` in the order of their making, on standard error.
void list_live_blocks(std::size_t skip);

}  // namespace takt::sim
