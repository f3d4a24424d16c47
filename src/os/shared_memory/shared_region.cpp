#include "os/shared_memory/shared_region.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <linux/memfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

namespace takt::os {
namespace {

constexpr int size_seals = F_SEAL_SHRINK | F_SEAL_GROW;

int open_memory() {
  constexpr unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  const int fd = ::memfd_create("takt-connection", flags | MFD_NOEXEC_SEAL);
  return fd < 0 && errno == EINVAL ? ::memfd_create("takt-connection", flags) : fd;  // before Linux 6.3
}

// Memory of the system's own tmpfs: not of one with a size limit, nor of huge pages, where access to a
// missing page would end the process.
bool is_plain_memory(int fd, std::size_t bytes) {
  struct stat file{};
  struct statfs system{};
  const int seals = ::fcntl(fd, F_GET_SEALS);
  return seals >= 0 && (seals & size_seals) == size_seals && ::fstat(fd, &file) == 0 &&
         S_ISREG(file.st_mode) && static_cast<std::size_t>(file.st_size) == bytes &&
         ::fstatfs(fd, &system) == 0 && system.f_type == TMPFS_MAGIC;
}

}  // namespace

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

std::expected<std::pair<SharedRegion, Descriptor>, int> SharedRegion::create(std::size_t bytes) {
  Descriptor memory(open_memory());
  if (!memory.is_open() || ::ftruncate(memory.fd(), static_cast<off_t>(bytes)) != 0 ||
      ::fcntl(memory.fd(), F_ADD_SEALS, size_seals | F_SEAL_SEAL) != 0)
    return std::unexpected(errno);
  auto region = map(memory, bytes);
  if (!region) return std::unexpected(region.error());
  return std::pair(std::move(*region), std::move(memory));
}

std::expected<SharedRegion, int> SharedRegion::adopt(const Descriptor& memory, std::size_t bytes) {
  if (!is_plain_memory(memory.fd(), bytes)) return std::unexpected(EPROTO);
  return map(memory, bytes);
}

std::expected<SharedRegion, int> SharedRegion::map(const Descriptor& memory, std::size_t bytes) {
  void* const data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory.fd(), 0);
  if (data == MAP_FAILED) return std::unexpected(errno);
  return SharedRegion(static_cast<std::uint8_t*>(data), bytes);
}

SharedRegion::~SharedRegion() {
  if (data_ != nullptr) ::munmap(data_, bytes_);
}

bool SharedRegion::populate(std::size_t bytes) { return ::madvise(data_, bytes, MADV_POPULATE_WRITE) == 0; }

}  // namespace takt::os
