// The process that writes a file of spans or a recording, as the file says it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace takt::os {

// Longer texts are cut.
struct FileOwner {
  std::string program, orb, host;
};

// A part of the file's head, in the byte order of the machine. May have any octets if it comes from a file.
struct FileOrigin {
  static constexpr std::size_t most_text = 120;

  std::uint64_t process;
  std::int64_t start_ns;  // when the file was made, since 1970, UTC
  std::uint8_t program_size, orb_size, host_size, unused;
  char program[most_text], orb[most_text], host[most_text];

  // Describes this process, at the present time.
  void set(const FileOwner& owner);
  // Allocates.
  FileOwner owner() const;
};

// `path` with each %p replaced by this process's number.
std::string with_process(std::string path);

}  // namespace takt::os
