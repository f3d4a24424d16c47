// A file that is the memory of a process, and outlives it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <utility>

#include "os/shared_memory/shared_region.h"

namespace takt::os {

// Only one process at a time has the file; a child made by fork() shares it.
class MappedFile {
 public:
  struct Error {
    int number = 0;  // an errno value; EWOULDBLOCK: another process has the file
    // With a `number` of 0:
    bool other_contents = false;  // the file has contents that are not to be lost
    bool other_owner = false;  // another user could read the memory, or cut the file and so end this process
    friend bool operator==(const Error&, const Error&) = default;
  };
  // Makes the file, readable for its owner alone, with `bytes` zeros that the file system has room for. A
  // file that exists is emptied if it is a regular one of the process's own user, and is empty or begins with
  // `magic`.
  static std::expected<MappedFile, Error> create(const std::string& path, std::size_t bytes,
                                                 const std::string& magic);

  MappedFile(MappedFile&& from) noexcept
      : descriptor_(std::move(from.descriptor_)),
        data_(std::exchange(from.data_, nullptr)),
        bytes_(std::exchange(from.bytes_, 0)) {}
  MappedFile& operator=(MappedFile&&) = delete;
  ~MappedFile();

  std::uint8_t* data() const { return data_; }
  std::size_t size() const { return bytes_; }

 private:
  MappedFile(Descriptor descriptor, std::uint8_t* data, std::size_t bytes)
      : descriptor_(std::move(descriptor)), data_(data), bytes_(bytes) {}

  Descriptor descriptor_;  // holds the lock
  std::uint8_t* data_;
  std::size_t bytes_;
};

}  // namespace takt::os
