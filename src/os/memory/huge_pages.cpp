#include "os/memory/huge_pages.h"

#include <sys/mman.h>

#include <cstdint>
#include <new>

namespace takt::os {
namespace {

constexpr std::size_t page_bytes = std::size_t{2} << 20;

std::size_t in_pages(std::size_t bytes) { return (bytes + page_bytes - 1) / page_bytes * page_bytes; }

}  // namespace

void* HugePages::do_allocate(std::size_t bytes, std::size_t alignment) {
  if (bytes < page_bytes) return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  // Maps one page more, to align the block, and unmaps what is left before and after it.
  const std::size_t wanted = in_pages(bytes);
  void* const mapped =
      ::mmap(nullptr, wanted + page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  auto* const begin = static_cast<std::byte*>(mapped);
  const std::size_t before =
      in_pages(reinterpret_cast<std::uintptr_t>(begin)) - reinterpret_cast<std::uintptr_t>(begin);
  if (before != 0) ::munmap(begin, before);
  ::munmap(begin + before + wanted, page_bytes - before);
  ::madvise(begin + before, wanted, MADV_HUGEPAGE);
  return begin + before;
}

void HugePages::do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) {
  if (bytes < page_bytes)
    std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
  else
    ::munmap(memory, in_pages(bytes));
}

bool HugePages::do_is_equal(const memory_resource& other) const noexcept {
  return dynamic_cast<const HugePages*>(&other) != nullptr;
}

}  // namespace takt::os
