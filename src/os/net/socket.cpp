#include "os/net/socket.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstring>
#include <ctime>

namespace takt::os {
namespace {

template <class T>
bool set_option(int fd, int level, int name, const T& value) {
  return ::setsockopt(fd, level, name, &value, sizeof value) == 0;
}

timeval to_timeval(std::chrono::nanoseconds timeout) {
  if (timeout <= std::chrono::nanoseconds::zero()) return {0, 0};
  const auto whole = std::chrono::floor<std::chrono::seconds>(timeout);
  const auto rest = std::chrono::ceil<std::chrono::microseconds>(timeout - whole);
  if (rest == std::chrono::seconds(1)) return {static_cast<time_t>(whole.count() + 1), 0};
  return {static_cast<time_t>(whole.count()), static_cast<suseconds_t>(rest.count())};
}

}  // namespace

Socket& Socket::operator=(Socket&& from) noexcept {
  std::swap(fd_, from.fd_);
  std::swap(blocking_, from.blocking_);
  return *this;
}

Socket::~Socket() {
  if (fd_ >= 0) ::close(fd_);
}

IoResult Socket::failure(int error) const {
  if (error == EAGAIN || error == EWOULDBLOCK)
    return {0, blocking_ ? IoStatus::timed_out : IoStatus::would_block, 0};
  return {0, IoStatus::failed, error};
}

IoResult Socket::receive_again(MutableBytes into, int error) {
  while (error == EINTR) {
    const ssize_t count = ::recv(fd_, into.data(), into.size(), 0);
    if (count > 0) return {static_cast<std::size_t>(count), IoStatus::ok, 0};
    error = count == 0 ? 0 : errno;
  }
  if (error != 0) return failure(error);
  return into.empty() ? failure(EINVAL) : IoResult{0, IoStatus::end_of_stream, 0};
}

bool Socket::stamp_arrivals() { return set_option(fd_, SOL_SOCKET, SO_TIMESTAMPNS, 1); }

namespace {

// Stamps use the time of day. If the clock was set since, the age is 0.
std::chrono::nanoseconds age_of(const timespec& stamp) {
  using namespace std::chrono;
  constexpr seconds longest(60);
  const auto then = seconds(stamp.tv_sec) + nanoseconds(stamp.tv_nsec);
  const nanoseconds age = system_clock::now().time_since_epoch() - then;
  return age > nanoseconds(0) && age < longest ? age : nanoseconds(0);
}

}  // namespace

IoResult Socket::receive_stamped(MutableBytes into, std::chrono::nanoseconds& age) {
  age = std::chrono::nanoseconds(0);
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(timespec)) + 64];
  iovec space{into.data(), into.size()};
  msghdr message{};
  message.msg_iov = &space;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  const ssize_t count = ::recvmsg(fd_, &message, 0);
  if (count <= 0) return receive_again(into, count == 0 ? 0 : errno);
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part; part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_TIMESTAMPNS) continue;
    timespec stamp{};
    std::memcpy(&stamp, CMSG_DATA(part), sizeof stamp);
    age = age_of(stamp);
  }
  return {static_cast<std::size_t>(count), IoStatus::ok, 0};
}

IoResult Socket::send_again(ByteView octets, int error) {
  while (error == EINTR) {
    const ssize_t count = ::send(fd_, octets.data(), octets.size(), MSG_NOSIGNAL);
    if (count > 0) return {static_cast<std::size_t>(count), IoStatus::ok, 0};
    error = count == 0 ? 0 : errno;
  }
  return failure(error == 0 ? EINVAL : error);
}

IoResult Socket::send_gather(std::span<const ByteView> pieces) {
  iovec vectors[max_gather_pieces];
  std::size_t used = 0;
  for (const ByteView piece : pieces) {
    if (piece.empty()) continue;
    vectors[used++] = {const_cast<std::uint8_t*>(piece.data()), piece.size()};
    if (used == max_gather_pieces) break;
  }
  msghdr message{};
  message.msg_iov = vectors;
  message.msg_iovlen = used;
  ssize_t count;
  do count = ::sendmsg(fd_, &message, MSG_NOSIGNAL);
  while (count < 0 && errno == EINTR);
  if (count > 0) [[likely]]
    return {static_cast<std::size_t>(count), IoStatus::ok, 0};
  return failure(count == 0 ? EINVAL : errno);
}

bool Socket::set_blocking(bool blocking) {
  const int flags = ::fcntl(fd_, F_GETFL);
  if (flags < 0) return false;
  const int wanted = blocking ? flags & ~O_NONBLOCK : flags | O_NONBLOCK;
  if (wanted != flags && ::fcntl(fd_, F_SETFL, wanted) < 0) return false;
  blocking_ = blocking;
  return true;
}

bool Socket::set_receive_timeout(std::chrono::nanoseconds timeout) {
  return set_option(fd_, SOL_SOCKET, SO_RCVTIMEO, to_timeval(timeout));
}
bool Socket::set_send_timeout(std::chrono::nanoseconds timeout) {
  return set_option(fd_, SOL_SOCKET, SO_SNDTIMEO, to_timeval(timeout));
}
bool Socket::set_no_delay(bool on) { return set_option(fd_, IPPROTO_TCP, TCP_NODELAY, int{on}); }
bool Socket::set_reuse_address(bool on) { return set_option(fd_, SOL_SOCKET, SO_REUSEADDR, int{on}); }
bool Socket::set_ipv6_only(bool on) { return set_option(fd_, IPPROTO_IPV6, IPV6_V6ONLY, int{on}); }

bool Socket::set_keep_alive(std::chrono::seconds idle, std::chrono::seconds interval, int count) {
  return set_option(fd_, SOL_SOCKET, SO_KEEPALIVE, 1) &&
         set_option(fd_, IPPROTO_TCP, TCP_KEEPIDLE, static_cast<int>(idle.count())) &&
         set_option(fd_, IPPROTO_TCP, TCP_KEEPINTVL, static_cast<int>(interval.count())) &&
         set_option(fd_, IPPROTO_TCP, TCP_KEEPCNT, count);
}

bool Socket::set_send_buffer_bytes(int bytes) { return set_option(fd_, SOL_SOCKET, SO_SNDBUF, bytes); }
bool Socket::set_receive_buffer_bytes(int bytes) { return set_option(fd_, SOL_SOCKET, SO_RCVBUF, bytes); }

// On an IPv6 socket, the first option is for peers with IPv4-mapped addresses.
bool Socket::set_traffic_class(int dscp) {
  const bool set_v4 = set_option(fd_, IPPROTO_IP, IP_TOS, dscp << 2);
  const bool set_v6 = set_option(fd_, IPPROTO_IPV6, IPV6_TCLASS, dscp << 2);
  return set_v4 || set_v6;
}
bool Socket::set_priority(int priority) { return set_option(fd_, SOL_SOCKET, SO_PRIORITY, priority); }
bool Socket::set_busy_poll(std::chrono::microseconds time) {
  return set_option(fd_, SOL_SOCKET, SO_BUSY_POLL, static_cast<int>(time.count()));
}
bool Socket::set_congestion_control(std::string_view name) {
  return ::setsockopt(fd_, IPPROTO_TCP, TCP_CONGESTION, name.data(), static_cast<socklen_t>(name.size())) ==
         0;
}
bool Socket::set_dont_route(bool on) { return set_option(fd_, SOL_SOCKET, SO_DONTROUTE, int{on}); }
bool Socket::drop_attempts() {
  constexpr std::uint32_t flags_index = 13, syn = 0x02;  // in the TCP header
  sock_filter steps[] = {{BPF_LD | BPF_B | BPF_ABS, 0, 0, flags_index},
                         {BPF_JMP | BPF_JSET | BPF_K, 0, 1, syn},
                         {BPF_RET | BPF_K, 0, 0, 0},  // keeps 0 octets of the packet
                         {BPF_RET | BPF_K, 0, 0, UINT32_MAX}};
  const sock_fprog program{std::size(steps), steps};
  return set_option(fd_, SOL_SOCKET, SO_ATTACH_FILTER, program);
}

int Socket::take_error() {
  int error = 0;
  socklen_t size = sizeof error;
  return ::getsockopt(fd_, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

}  // namespace takt::os
