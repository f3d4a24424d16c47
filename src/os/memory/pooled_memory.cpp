#include <takt/os/pooled_memory.h>

#include <memory_resource>
#include <mutex>

#include "os/memory/huge_pages.h"
#include "threads/locks/priority_mutex.h"

namespace takt::os {

namespace {

// The standard library's synchronized pool has locks without priority inheritance.
struct PooledMemory {
  HugePages pages;
  PriorityMutex mutex;
  std::pmr::unsynchronized_pool_resource pool{
      {.max_blocks_per_chunk = 1 << 18, .largest_required_pool_block = 512}, &pages};
};

PooledMemory& pooled_memory() {
  static auto& memory =
      *new PooledMemory;  // never destroyed: its contents may outlive all other static objects
  return memory;
}

}  // namespace

void* allocate_pooled(std::size_t bytes, std::size_t alignment) {
  PooledMemory& memory = pooled_memory();
  const std::lock_guard lock(memory.mutex);
  return memory.pool.allocate(bytes, alignment);
}

void deallocate_pooled(void* block, std::size_t bytes, std::size_t alignment) noexcept {
  PooledMemory& memory = pooled_memory();
  const std::lock_guard lock(memory.mutex);
  memory.pool.deallocate(block, bytes, alignment);
}

}  // namespace takt::os
