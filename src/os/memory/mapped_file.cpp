#include "os/memory/mapped_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace takt::os {

namespace {

using Error = MappedFile::Error;

constexpr mode_t for_owner = 0600;

// Nothing is lost with a file that has none but `magic`'s contents.
Error check(const Descriptor& file, const std::string& magic) {
  struct stat status = {};
  if (::fstat(file.fd(), &status) != 0) return {.number = errno};
  if (!S_ISREG(status.st_mode)) return {.other_contents = true};
  if (status.st_uid != ::geteuid()) return {.other_owner = true};
  if (::flock(file.fd(), LOCK_EX | LOCK_NB) != 0) return {.number = errno};
  if (status.st_size == 0) return {};
  std::string begin(magic.size(), '\0');
  const bool same = ::pread(file.fd(), begin.data(), begin.size(), 0) == static_cast<ssize_t>(begin.size()) &&
                    begin == magic;
  return {.other_contents = !same};
}

int make_room(const Descriptor& file, std::size_t bytes) {
  if (::fchmod(file.fd(), for_owner) != 0 || ::ftruncate(file.fd(), 0) != 0) return errno;
  return ::posix_fallocate(file.fd(), 0, static_cast<off_t>(bytes));
}

}  // namespace

std::expected<MappedFile, Error> MappedFile::create(const std::string& path, std::size_t bytes,
                                                    const std::string& magic) {
  Descriptor file(
      ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW, for_owner));
  if (!file.is_open()) return std::unexpected(Error{.number = errno});
  if (const Error error = check(file, magic); error != Error()) return std::unexpected(error);
  if (const int error = make_room(file, bytes); error != 0) return std::unexpected(Error{.number = error});
  void* const memory =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file.fd(), 0);
  if (memory == MAP_FAILED) return std::unexpected(Error{.number = errno});
  return MappedFile(std::move(file), static_cast<std::uint8_t*>(memory), bytes);
}

MappedFile::~MappedFile() {
  if (data_) ::munmap(data_, bytes_);
}

}  // namespace takt::os
