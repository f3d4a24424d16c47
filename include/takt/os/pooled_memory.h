// Pooled memory for servants, of which a server may have a million.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#define TAKT_HEAP_IS_WATCHED 1
#elif defined(__has_feature)
#define TAKT_HEAP_IS_WATCHED __has_feature(address_sanitizer)
#else
#define TAKT_HEAP_IS_WATCHED 0
#endif

namespace takt::os {

// Blocks of one size are adjacent. Where there are many, they lie in huge pages if the system provides them
// (/sys/kernel/mm/transparent_hugepage), so that a call to any of a million objects rarely misses the TLB.
// Freed memory is reused, and never returned to the system. Any thread. Takes a lock, as the heap does, so do
// not use it on a call's path. Throws std::bad_alloc.
void* allocate_pooled(std::size_t bytes, std::size_t alignment);
void deallocate_pooled(void* memory, std::size_t bytes, std::size_t alignment) noexcept;

// Standard allocator for that memory.
template <class T>
struct PooledAllocator {
  using value_type = T;

  PooledAllocator() = default;
  template <class U>
  PooledAllocator(const PooledAllocator<U>&) noexcept {}  // NOLINT: meant to convert

  T* allocate(std::size_t count) { return static_cast<T*>(allocate_pooled(count * sizeof(T), alignof(T))); }
  void deallocate(T* memory, std::size_t count) noexcept {
    deallocate_pooled(memory, count * sizeof(T), alignof(T));
  }
  friend bool operator==(PooledAllocator, PooledAllocator) { return true; }
};

// std::make_shared in that memory. Programs compiled with AddressSanitizer use the heap, which the sanitizer
// checks.
template <class T, class... Arguments>
std::shared_ptr<T> make_pooled(Arguments&&... arguments) {
#if TAKT_HEAP_IS_WATCHED
  return std::make_shared<T>(std::forward<Arguments>(arguments)...);
#else
  return std::allocate_shared<T>(PooledAllocator<T>(), std::forward<Arguments>(arguments)...);
#endif
}

}  // namespace takt::os
