// Where servants are, of which a server may have a million.
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

// Pieces of one size lie side by side, and where there are many, in huge pages if the system gives them
// (/sys/kernel/mm/transparent_hugepage), so that a call to any of a million objects finds their addresses at
// once. What is freed serves the next, and never goes back to the system. Any thread; takes a lock, as the
// heap does, so it is nothing for a call's path. Throws std::bad_alloc.
void* allocate_pooled(std::size_t bytes, std::size_t alignment);
void deallocate_pooled(void* memory, std::size_t bytes, std::size_t alignment) noexcept;

// Of that memory.
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

// std::make_shared in that memory; on the heap in programs compiled with AddressSanitizer, which watches
// that.
template <class T, class... Arguments>
std::shared_ptr<T> make_pooled(Arguments&&... arguments) {
#if TAKT_HEAP_IS_WATCHED
  return std::make_shared<T>(std::forward<Arguments>(arguments)...);
#else
  return std::allocate_shared<T>(PooledAllocator<T>(), std::forward<Arguments>(arguments)...);
#endif
}

}  // namespace takt::os
