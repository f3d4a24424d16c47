#include "config/reports/untaken_sockets.h"

#include <optional>
#include <string>

#include "transport/tcp/inherited_listener.h"

namespace takt::orb {
namespace {

std::string where(const std::optional<os::Address>& address) {
  if (!address) return "a UNIX-domain socket, which it opens itself: leave it out of the socket unit";
  const std::string text = address->text();
  return text + ": iiop://" + (address->is_wildcard() ? ":" + std::to_string(address->port()) : text) +
         " among its endpoints (-ORBListenEndpoints) takes it, or change ListenStream= of the socket unit";
}

}  // namespace

void warn_of_untaken_sockets(const Warnings& warnings) {
  for (const auto& address : transport::untaken_listeners())
    warnings.say(
        "systemd has opened a socket that this ORB does not serve, and in which clients wait unless the "
        "program serves it: " +
        where(address));
}

}  // namespace takt::orb
