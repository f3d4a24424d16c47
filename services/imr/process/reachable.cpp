#include "imr/process/reachable.h"

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace takt::imr {
namespace {

using Clock = std::chrono::steady_clock;
using Addresses = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

// Blocks for as long as name servers take.
Addresses resolve_now(const std::string& address) {
  Addresses found(nullptr, &freeaddrinfo);
  const auto colon = address.rfind(':');
  if (colon == std::string::npos) return found;
  std::string host = address.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  addrinfo wanted{}, *first = nullptr;
  wanted.ai_socktype = SOCK_STREAM;
  if (getaddrinfo(host.c_str(), address.c_str() + colon + 1, &wanted, &first) == 0) found.reset(first);
  return found;
}

// Shared by the caller and the thread that looks up.
struct LookUp {
  std::mutex mutex;
  std::condition_variable answered;
  std::optional<Addresses> answer;
};

// Nothing if the answer comes later, or if too many look-ups are not answered.
Addresses resolve(const std::string& address, Clock::time_point end) {
  constexpr int most = 16;
  static std::atomic<int> running{0};
  Addresses none(nullptr, &freeaddrinfo);
  if (running.fetch_add(1) >= most) {
    --running;
    return none;
  }
  const auto look_up = std::make_shared<LookUp>();
  try {
    std::thread([look_up, address] {
      Addresses found = resolve_now(address);
      --running;
      const std::lock_guard lock(look_up->mutex);
      look_up->answer = std::move(found);
      look_up->answered.notify_all();
    }).detach();
  } catch (const std::system_error&) {
    --running;
    return none;
  }
  std::unique_lock lock(look_up->mutex);
  const bool is_answered =
      look_up->answered.wait_until(lock, end, [&] { return look_up->answer.has_value(); });
  return is_answered ? std::move(*look_up->answer) : std::move(none);
}

bool ends_well(int descriptor, Clock::time_point end) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
  pollfd polled{descriptor, POLLOUT, 0};
  if (poll(&polled, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0))) <= 0) return false;
  int error = 0;
  socklen_t size = sizeof error;
  return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
}

bool connects(const addrinfo& to, Clock::time_point end) {
  const int descriptor = socket(to.ai_family, to.ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, to.ai_protocol);
  if (descriptor < 0) return false;
  const bool begun = connect(descriptor, to.ai_addr, to.ai_addrlen) == 0 || errno == EINPROGRESS;
  const bool connected = begun && ends_well(descriptor, end);
  close(descriptor);
  return connected;
}

}  // namespace

bool takes_connections(const std::string& address, std::chrono::milliseconds time) {
  const auto end = Clock::now() + time;
  const Addresses found = resolve(address, end);
  for (const addrinfo* each = found.get(); each; each = each->ai_next)
    if (connects(*each, end)) return true;
  return false;
}

}  // namespace takt::imr
