// Memory that two processes share.
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

// A mapping of memory without a name, which goes with the last process that maps it. Its size is sealed, so
// that no process can take away what another one has mapped. What is in it may change at any time, by the
// other process's will: it is read once, and checked.
class SharedRegion {
 public:
  // New memory, zero, and the descriptor by which another process gets at it. An errno value.
  static std::expected<std::pair<SharedRegion, Descriptor>, int> create(std::size_t bytes);
  // Of another process's making. EPROTO unless it is memory of just this size, with the size sealed. The
  // descriptor is not needed any more.
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

  // Has the system back the first `bytes` of it now, so that their use faults no more. False: refused.
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
