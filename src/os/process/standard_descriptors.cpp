#include "os/process/standard_descriptors.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace takt::os {

namespace {

// A socket without an address is for a root folder without /dev: it refuses to be read and written.
int open_nowhere() {
  const int null = ::open("/dev/null", O_RDWR);
  return null >= 0 ? null : ::socket(AF_UNIX, SOCK_DGRAM, 0);
}

}  // namespace

[[gnu::cold]] void fill_standard_descriptors() {
  for (int wanted = STDIN_FILENO; wanted <= STDERR_FILENO; ++wanted) {
    if (::fcntl(wanted, F_GETFD) >= 0 || errno != EBADF) continue;
    const int made = open_nowhere();          // the lowest free number, which is `wanted`
    if (made > STDERR_FILENO) ::close(made);  // another thread has just taken it
  }
}

}  // namespace takt::os
