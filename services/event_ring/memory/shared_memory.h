// The memory of a shared buffer, and sleeping until it changes.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <expected>
#include <utility>

#include "event_ring/memory/layout.h"

namespace takt::event_ring {

// Owns a descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& from) noexcept : number_(std::exchange(from.number_, -1)) {}
  Descriptor& operator=(Descriptor&& from) noexcept {
    std::swap(number_, from.number_);
    return *this;
  }
  ~Descriptor();

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

// A mapping of anonymous memory with controls and a ring. Errors are errno values.
class SharedMemory {
 public:
  // New zeroed memory that only this mapping can write to, by seals of the system; all of it is allocated
  // now. The descriptor gives other processes access to it.
  static std::expected<std::pair<SharedMemory, Descriptor>, int> create(std::uint32_t ring_bytes);
  // Another process's memory, read-only. EPROTO: it has another size, or that process could make it shorter.
  static std::expected<SharedMemory, int> adopt(const Descriptor& memory, std::uint32_t ring_bytes);

  SharedMemory(SharedMemory&& from) noexcept
      : data_(std::exchange(from.data_, nullptr)), bytes_(std::exchange(from.bytes_, 0)) {}
  SharedMemory& operator=(SharedMemory&&) = delete;
  ~SharedMemory();

  // After adopt(), writing to it ends the process.
  std::uint8_t* data() const { return data_; }

 private:
  SharedMemory(std::uint8_t* data, std::size_t bytes) : data_(data), bytes_(bytes) {}
  static std::expected<SharedMemory, int> map(int descriptor, std::size_t bytes, int protection);

  std::uint8_t* data_ = nullptr;
  std::size_t bytes_ = 0;
};

// Sleeps while `word` equals `expected`, at most for `most`; may return early. The memory may be read-only.
void wait_for_bell(const std::atomic<std::uint32_t>& word, std::uint32_t expected,
                   std::chrono::nanoseconds most);
// Wakes all threads of all processes that sleep on the word. Does not wait for them.
// The memory may be read-only.
void ring_bell(const std::atomic<std::uint32_t>& word);

}  // namespace takt::event_ring
