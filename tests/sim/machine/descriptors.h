// The virtual descriptors of all hosts.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "machine/file.h"

namespace takt::sim {

// Numbers are reused at once, the lowest first, as the system does it: who uses a descriptor after it has
// closed it meets somebody else's.
class Descriptors {
 public:
  // Above those of the real process.
  static constexpr int first = 64;
  static bool is_virtual(int fd) { return fd >= first; }

  // -1: the host has no more.
  int open(std::shared_ptr<File> file, unsigned host, std::size_t most);
  // Null: there is none of this number.
  std::shared_ptr<File> find(int fd) const;
  // The file, if this was its last descriptor's number.
  std::shared_ptr<File> close(int fd);

  std::size_t open_by(unsigned host) const;
  std::size_t connections_of(unsigned host) const;
  std::size_t count() const;
  std::string describe() const;

 private:
  struct Entry {
    std::shared_ptr<File> file;
    unsigned host = 0;
  };
  std::vector<Entry> entries_;
};

}  // namespace takt::sim
