#include "event_ring/memory/shared_memory.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <linux/magic.h>
#include <linux/memfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <ctime>

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif
#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

namespace takt::event_ring {
namespace {

constexpr int size_seals = F_SEAL_SHRINK | F_SEAL_GROW;
static_assert(sizeof(std::atomic<std::uint32_t>) == 4 && std::atomic<std::uint64_t>::is_always_lock_free);

int open_memory() {
  constexpr unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  const int descriptor = ::memfd_create("takt-events", flags | MFD_NOEXEC_SEAL);
  return descriptor < 0 && errno == EINVAL ? ::memfd_create("takt-events", flags) : descriptor;  // before 6.3
}

// Memory of the system's own tmpfs, which another one could take away: access would end this process.
bool is_sealed_memory(int descriptor, std::size_t bytes) {
  struct stat file{};
  struct statfs system{};
  const int seals = ::fcntl(descriptor, F_GET_SEALS);
  return seals >= 0 && (seals & size_seals) == size_seals && ::fstat(descriptor, &file) == 0 &&
         S_ISREG(file.st_mode) && static_cast<std::size_t>(file.st_size) == bytes &&
         ::fstatfs(descriptor, &system) == 0 && system.f_type == TMPFS_MAGIC;
}

// Without its pages the first writes would fault, and end the process if the system has no memory. Linux
// before 5.14 cannot map them, too. An error is in errno.
bool allocate(const SharedMemory& memory, int descriptor, std::size_t bytes) {
  return ::madvise(memory.data(), bytes, MADV_POPULATE_WRITE) == 0 ||
         (errno == EINVAL && ::fallocate(descriptor, 0, 0, static_cast<off_t>(bytes)) == 0);
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

std::expected<SharedMemory, int> SharedMemory::map(int descriptor, std::size_t bytes, int protection) {
  void* const data = ::mmap(nullptr, bytes, protection, MAP_SHARED, descriptor, 0);
  if (data == MAP_FAILED) return std::unexpected(errno);
  return SharedMemory(static_cast<std::uint8_t*>(data), bytes);
}

std::expected<std::pair<SharedMemory, Descriptor>, int> SharedMemory::create(std::uint32_t ring_bytes) {
  const std::size_t bytes = controls_bytes + std::size_t{ring_bytes};
  Descriptor memory(open_memory());
  if (!memory.is_open() || ::ftruncate(memory.number(), static_cast<off_t>(bytes)) != 0)
    return std::unexpected(errno);
  auto mapped = map(memory.number(), bytes, PROT_READ | PROT_WRITE);
  if (!mapped) return std::unexpected(mapped.error());
  if (!allocate(*mapped, memory.number(), bytes) ||
      ::fcntl(memory.number(), F_ADD_SEALS, size_seals | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL) != 0)
    return std::unexpected(errno);
  return std::pair(*std::move(mapped), std::move(memory));
}

std::expected<SharedMemory, int> SharedMemory::adopt(const Descriptor& memory, std::uint32_t ring_bytes) {
  const std::size_t bytes = controls_bytes + std::size_t{ring_bytes};
  if (!is_ring_size(ring_bytes) || !is_sealed_memory(memory.number(), bytes)) return std::unexpected(EPROTO);
  return map(memory.number(), bytes, PROT_READ);
}

SharedMemory::~SharedMemory() {
  if (data_ != nullptr) ::munmap(data_, bytes_);
}

void wait_for_bell(const std::atomic<std::uint32_t>& word, std::uint32_t expected,
                   std::chrono::nanoseconds most) {
  const auto time = std::max(most, std::chrono::nanoseconds(0));
  const auto whole = std::chrono::floor<std::chrono::seconds>(time);
  const timespec limit{static_cast<time_t>(whole.count()), static_cast<long>((time - whole).count())};
  ::syscall(SYS_futex, &word, FUTEX_WAIT, expected, &limit, nullptr, 0);
}

void ring_bell(const std::atomic<std::uint32_t>& word) {
  ::syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace takt::event_ring
