#include <takt/connection/pooled_memory.h>

#include "os/memory/huge_pages.h"

namespace takt::connection {

std::pmr::memory_resource& pooled_memory() {
  // Both stay: what is in them may be destroyed after any other thing of the program.
  static auto& pages = *new os::HugePages;
  static auto& pool = *new std::pmr::synchronized_pool_resource(
      {.max_blocks_per_chunk = 1 << 18, .largest_required_pool_block = 512}, &pages);
  return pool;
}

}  // namespace takt::connection
