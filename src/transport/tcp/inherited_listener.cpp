#include "transport/tcp/inherited_listener.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <string>

#include "os/environment.h"
#include "os/net/stream_sockets.h"
#include "os/net/unix_socket.h"

namespace takt::transport {
namespace {

constexpr int first_descriptor = 3, most_descriptors = 1024;

// 0: there is no such variable, or it has no number.
int number_in(const std::map<std::string, std::string>& variables, const char* name) {
  const auto found = variables.find(name);
  if (found == variables.end()) return 0;
  const std::string& text = found->second;
  const char* const end = text.data() + text.size();
  int number = 0;
  const auto [stop, failed] = std::from_chars(text.data(), end, number);
  return failed == std::errc() && stop == end ? number : 0;
}

struct Passed {
  int process, descriptors;
};

// Read once, because a program may change its environment while it runs.
const Passed& passed() {
  static const Passed once = [] {
    const auto variables = os::environment_with("LISTEN_");
    return Passed{number_in(variables, "LISTEN_PID"), number_in(variables, "LISTEN_FDS")};
  }();
  return once;
}

}  // namespace

[[gnu::cold]] std::optional<os::Socket> inherited_listener(const os::Address& address, int backlog) {
  if (passed().process != os::own_process()) return std::nullopt;
  const int count = std::min(passed().descriptors, most_descriptors);
  for (int each = first_descriptor; each < first_descriptor + count; ++each) {
    if (os::Address::local_of(each) != address) continue;
    auto socket = os::duplicate(each);
    // Sockets of datagrams and connections cannot listen.
    if (socket && os::listen(*socket, backlog) == 0) return std::move(*socket);
  }
  return std::nullopt;
}

}  // namespace takt::transport
