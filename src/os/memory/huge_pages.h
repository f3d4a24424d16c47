// Memory for large tables in huge pages, so that random accesses rarely miss the TLB.
#pragma once

#include <cstddef>
#include <memory_resource>

namespace takt::os {

// Blocks of 2 MiB and more come from the system, which is asked for huge pages and may refuse
// (/sys/kernel/mm/transparent_hugepage). Smaller ones come from the heap. Throws std::bad_alloc. Any thread.
class HugePages final : public std::pmr::memory_resource {
 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const memory_resource& other) const noexcept override;
};

}  // namespace takt::os
