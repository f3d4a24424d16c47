// The virtual descriptors of all hosts.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "machine/file.h"

namespace takt::sim {

// Numbers are reused at once, lowest first, as by the system: use of a closed descriptor then hits another
// file.
class Descriptors {
 public:
  // Above the descriptors of the real process.
  static constexpr int first = 64;
  static bool is_virtual(int fd) { return fd >= first; }

  // -1 if the host has no descriptor left.
  int open(std::shared_ptr<File> file, unsigned host, std::size_t most);
  // Null if there is no such number.
  std::shared_ptr<File> find(int fd) const;
  // Returns the file if this was its last descriptor.
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
