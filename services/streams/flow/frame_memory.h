// Memory for the frames that the consumers of a device keep.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

namespace takt::streams {

// Clients choose how many flows a device consumes, and their peers how much of its memory each flow fills.
// Thread-safe.
class FrameMemory {
 public:
  FrameMemory() = default;
  FrameMemory(const FrameMemory&) = delete;
  FrameMemory& operator=(const FrameMemory&) = delete;

  // Null if more than `most` would be reserved in all. The memory is free again once the result is gone; this
  // object must outlive it.
  std::shared_ptr<const void> reserve(std::size_t bytes, std::size_t most) {
    std::size_t used = used_.load();
    do {
      if (used > most || bytes > most - used) return nullptr;
    } while (!used_.compare_exchange_weak(used, used + bytes));
    return {this, [bytes](FrameMemory* memory) { memory->used_ -= bytes; }};
  }

 private:
  std::atomic<std::size_t> used_{0};
};

}  // namespace takt::streams
