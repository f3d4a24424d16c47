#include "os/private_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace takt::os {

bool is_ours_alone(const std::string& folder) {
  struct stat status{};
  return ::lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::geteuid() &&
         (status.st_mode & 022) == 0;
}

std::string make_own_folder(const std::string& parent) {
  std::string folder = parent + "/takt-" + std::to_string(::geteuid());
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return {};
  if (is_ours_alone(folder)) return folder;
  errno = EPERM;
  return {};
}

}  // namespace takt::os
