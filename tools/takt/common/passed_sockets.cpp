#include "common/passed_sockets.h"

#include <sys/socket.h>

#include <filesystem>
#include <system_error>

#include "os/net/address.h"
#include "os/process/service_manager.h"

namespace takt::command {
namespace {

bool listens(int descriptor) {
  int accepts = 0;
  socklen_t size = sizeof accepts;
  return ::getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &accepts, &size) == 0 && accepts != 0;
}

// An ORB takes a socket by a duplicate of its descriptor, which leads to the same number in the system.
bool has_duplicate(int descriptor) {
  const std::filesystem::path folder = "/proc/self/fd", own = folder / std::to_string(descriptor);
  std::error_code failed;
  const auto number = std::filesystem::read_symlink(own, failed);
  if (failed) return true;  // nothing is known
  std::filesystem::directory_iterator each(folder, failed);
  for (; !failed && each != std::filesystem::directory_iterator(); each.increment(failed)) {
    std::error_code closed_meanwhile;
    if (each->path() != own && std::filesystem::read_symlink(each->path(), closed_meanwhile) == number)
      return true;
  }
  return static_cast<bool>(failed);
}

std::string advice_on(int descriptor) {
  const auto address = os::Address::local_of(descriptor);
  if (!address)
    return "a UNIX-domain socket, which the service opens itself: leave it out of the socket unit";
  const std::string endpoint =
      "iiop://" + (address->is_wildcard() ? ":" + std::to_string(address->port()) : address->text());
  return address->text() +
         ", at which the service does not listen, so that clients wait there for ever: --listen " + endpoint +
         " takes it, or change ListenStream= of the socket unit";
}

}  // namespace

std::vector<std::string> untaken_sockets() {
  std::vector<std::string> untaken;
  const int end = os::first_passed_descriptor + os::passed_descriptors();
  for (int each = os::first_passed_descriptor; each < end; ++each)
    if (listens(each) && !has_duplicate(each)) untaken.push_back(advice_on(each));
  return untaken;
}

}  // namespace takt::command
