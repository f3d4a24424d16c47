// Reuses the memory of requests that are created for each call.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include <takt/dynamic/request.h>

namespace takt::dynamic {

// Each thread keeps one released request, emptied, and the block of its reference count. The next request
// uses their memory.
class RequestMemory {
 public:
  // Makes a request for a void operation. `target` must have a reference.
  static CORBA::object_reference<CORBA::Request> make(const CORBA::Object& target,
                                                      const std::string& operation);

 private:
  // One per thread, until the thread ends.
  struct Kept {
    std::unique_ptr<CORBA::Request> request;
    void* block = nullptr;
    std::size_t block_bytes = 0;
    ~Kept();
  };
  // Allocates the reference count.
  template <class T>
  struct BlockAllocator {
    using value_type = T;
    BlockAllocator() = default;
    template <class U>
    explicit BlockAllocator(const BlockAllocator<U>&) {}
    T* allocate(std::size_t count) { return static_cast<T*>(take_block(count * sizeof(T))); }
    void deallocate(T* block, std::size_t count) noexcept { give_back_block(block, count * sizeof(T)); }
    bool operator==(const BlockAllocator&) const { return true; }
  };

  static std::unique_ptr<CORBA::Request> take(const CORBA::Object& target, const std::string& operation);
  static void give_back(CORBA::Request* request) noexcept;
  static void* take_block(std::size_t bytes);
  static void give_back_block(void* block, std::size_t bytes) noexcept;
  static bool is_worth_keeping(const CORBA::Request& request) noexcept;
  static void empty(CORBA::Request& request) noexcept;

  static thread_local constinit Kept kept_;
  static thread_local constinit bool thread_ends_;
};

}  // namespace takt::dynamic
