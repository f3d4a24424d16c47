// The live blocks allocated by operator new.
#pragma once

#include <cstddef>

namespace takt::sim {

std::size_t live_blocks();
// Prints the sizes of live blocks to standard error, in the order of allocation, except the first `skip`.
void list_live_blocks(std::size_t skip);

}  // namespace takt::sim
