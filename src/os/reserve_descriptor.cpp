#include "os/reserve_descriptor.h"

#include <fcntl.h>
#include <unistd.h>

namespace takt::os {

void ReserveDescriptor::take() {
  if (fd_ < 0) fd_ = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
}

void ReserveDescriptor::give_up() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

long most_descriptors() { return ::sysconf(_SC_OPEN_MAX); }

}  // namespace takt::os
