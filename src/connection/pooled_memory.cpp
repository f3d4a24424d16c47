#include <takt/connection/pooled_memory.h>

#include <memory_resource>

#include "os/memory/huge_pages.h"

namespace takt::connection {

namespace {

std::pmr::memory_resource& pooled_memory() {
  // Both stay: what is in them may be destroyed after any other thing of the program.
  static auto& pages = *new os::HugePages;
  static auto& pool = *new std::pmr::synchronized_pool_resource(
      {.max_blocks_per_chunk = 1 << 18, .largest_required_pool_block = 512}, &pages);
  return pool;
}

}  // namespace

void* allocate_pooled(std::size_t bytes, std::size_t alignment) {
  return pooled_memory().allocate(bytes, alignment);
}

void deallocate_pooled(void* memory, std::size_t bytes, std::size_t alignment) noexcept {
  pooled_memory().deallocate(memory, bytes, alignment);
}

}  // namespace takt::connection
