#include "imr/process/reachable.h"

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <exception>
#include <future>
#include <memory>
#include <thread>
#include <utility>

namespace takt::imr {
namespace {

using Clock = std::chrono::steady_clock;
using Addresses = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

// Blocks for as long as name servers take, unless `flags` has AI_NUMERICHOST.
Addresses look_up(const std::string& address, int flags) {
  Addresses found(nullptr, &freeaddrinfo);
  const auto colon = address.rfind(':');
  if (colon == std::string::npos) return found;
  std::string host = address.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  addrinfo wanted{}, *first = nullptr;
  wanted.ai_flags = flags;
  wanted.ai_socktype = SOCK_STREAM;
  if (getaddrinfo(host.c_str(), address.c_str() + colon + 1, &wanted, &first) == 0) found.reset(first);
  return found;
}

// A look-up that a name server may leave unanswered; all of these are counted.
class LookUp {
 public:
  LookUp() : is_one_too_many_(running_.fetch_add(1) >= most) {}
  ~LookUp() { running_.fetch_sub(1); }
  LookUp(const LookUp&) = delete;
  LookUp& operator=(const LookUp&) = delete;
  bool is_one_too_many() const { return is_one_too_many_; }

 private:
  static constexpr int most = 16;
  static inline std::atomic<int> running_{0};
  const bool is_one_too_many_;
};

// Nothing if the answer of a name server comes later, or if too many look-ups are not answered.
Addresses resolve(const std::string& address, Clock::time_point end) {
  Addresses none(nullptr, &freeaddrinfo);
  if (Addresses found = look_up(address, AI_NUMERICHOST)) return found;
  const auto running = std::make_shared<const LookUp>();
  if (running->is_one_too_many()) return none;
  try {
    std::packaged_task<Addresses()> task([running, address] { return look_up(address, 0); });
    std::future<Addresses> answer = task.get_future();
    std::thread(std::move(task)).detach();
    if (answer.wait_until(end) == std::future_status::ready) return answer.get();
  } catch (const std::exception&) {  // no thread, or no memory
    return none;
  }
  return none;
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
