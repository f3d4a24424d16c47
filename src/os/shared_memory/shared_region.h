// Memory shared between two processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <utility>

namespace takt::os {

// Owns a descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& from) noexcept : fd_(std::exchange(from.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& from) noexcept {
    std::swap(fd_, from.fd_);
    return *this;
  }
  ~Descriptor();

  int fd() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

// A mapping of anonymous memory, which is freed with the last process that maps it. Its size is sealed, so
// that no process can remove what another one has mapped. The other process may change its contents at any
// time, so read each value once and check it.
class SharedRegion {
 public:
  // New zeroed memory, and the descriptor that gives another process access. Errors are errno values.
  static std::expected<std::pair<SharedRegion, Descriptor>, int> create(std::size_t bytes);
  // Maps another process's memory. Fails with EPROTO unless it has exactly this size, sealed. The descriptor
  // may be closed afterwards.
  static std::expected<SharedRegion, int> adopt(const Descriptor& memory, std::size_t bytes);

  SharedRegion() = default;
  SharedRegion(SharedRegion&& from) noexcept
      : data_(std::exchange(from.data_, nullptr)), bytes_(std::exchange(from.bytes_, 0)) {}
  SharedRegion& operator=(SharedRegion&& from) noexcept {
    std::swap(data_, from.data_);
    std::swap(bytes_, from.bytes_);
    return *this;
  }
  ~SharedRegion();

  // Makes the system allocate the first `bytes` now, so that using them does not fault. Returns false if it
  // refuses.
  bool populate(std::size_t bytes);

  std::uint8_t* data() const { return data_; }
  std::size_t size() const { return bytes_; }

 private:
  SharedRegion(std::uint8_t* data, std::size_t bytes) : data_(data), bytes_(bytes) {}
  static std::expected<SharedRegion, int> map(const Descriptor& memory, std::size_t bytes);

  std::uint8_t* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace takt::os
