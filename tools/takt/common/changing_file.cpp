#include "common/changing_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace takt::command {

std::expected<ChangingFile, std::string> ChangingFile::open(const std::string& path) {
  os::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  struct stat status = {};
  if (!file.is_open() || ::fstat(file.fd(), &status) != 0)
    return std::unexpected("it cannot be read: " + std::generic_category().message(errno));
  if (!S_ISREG(status.st_mode)) return std::unexpected("it is not a regular file");
  return ChangingFile(std::move(file));
}

bool ChangingFile::read(std::uint64_t offset, std::span<std::uint8_t> to) const {
  return ::pread(file_.fd(), to.data(), to.size(), static_cast<off_t>(offset)) ==
         static_cast<ssize_t>(to.size());
}

}  // namespace takt::command
