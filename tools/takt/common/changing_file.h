// Reads files that processes may write meanwhile.
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <utility>

#include "os/shared_memory/shared_region.h"

namespace takt::command {

// Reads without a buffer. Any thread.
class ChangingFile {
 public:
  // Takes regular files only, and does not wait: another user may have put a pipe there. The error is for
  // people.
  static std::expected<ChangingFile, std::string> open(const std::string& path);

  // False: the file ends before.
  bool read(std::uint64_t offset, std::span<std::uint8_t> to) const;

 private:
  explicit ChangingFile(os::Descriptor file) : file_(std::move(file)) {}

  os::Descriptor file_;
};

}  // namespace takt::command
