// A connected or listening stream socket.
#pragma once

#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <span>
#include <string_view>
#include <utility>

#include <takt/base/bytes.h>

#include <takt/os/io_result.h>

namespace takt::os {

// recv() and send() as direct system calls. Those of the C library are cancellation points, and in programs
// with threads each changes the thread's state twice with an atomic operation. Threads must not be cancelled
// inside the ORB. Sanitizers only know the library's functions.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline ssize_t system_receive(int fd, void* into, std::size_t size) { return ::recv(fd, into, size, 0); }
inline ssize_t system_send(int fd, const void* octets, std::size_t size) {
  return ::send(fd, octets, size, MSG_NOSIGNAL);
}
#else
inline ssize_t system_receive(int fd, void* into, std::size_t size) {
  return ::syscall(SYS_recvfrom, fd, into, size, 0, nullptr, nullptr);
}
inline ssize_t system_send(int fd, const void* octets, std::size_t size) {
  return ::syscall(SYS_sendto, fd, octets, size, MSG_NOSIGNAL, nullptr, 0);
}
#endif

// Owns one descriptor. Moving transfers it; the destructor closes it. One thread may call send() while
// another calls receive(); any thread may call shut_down(). Nothing here allocates. It is large because each
// socket option has a function.
class Socket {
 public:
  Socket() = default;
  explicit Socket(int fd, bool blocking = true) : fd_(fd), blocking_(blocking) {}
  Socket(Socket&& from) noexcept : fd_(std::exchange(from.fd_, -1)), blocking_(from.blocking_) {}
  Socket& operator=(Socket&& from) noexcept;
  ~Socket();

  int fd() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  bool blocking() const { return blocking_; }

  // Each makes one system call, repeated only after a signal. An empty buffer is an error (EINVAL), because a
  // result of 0 octets would mean the end of the stream.
  IoResult receive(MutableBytes into) {
    const ssize_t count = system_receive(fd_, into.data(), into.size());
    if (count > 0) [[likely]]
      return {static_cast<std::size_t>(count), IoStatus::ok, 0};
    return receive_again(into, count == 0 ? 0 : errno);
  }
  IoResult send(ByteView octets) {
    const ssize_t count = system_send(fd_, octets.data(), octets.size());
    if (count > 0) [[likely]]
      return {static_cast<std::size_t>(count), IoStatus::ok, 0};
    return send_again(octets, count == 0 ? 0 : errno);
  }
  // Like receive(), and reports how long ago the last of these octets came from the network; 0 if the system
  // does not report it. Requires stamp_arrivals().
  IoResult receive_stamped(MutableBytes into, std::chrono::nanoseconds& age);
  // Sends the first pieces, at most max_gather_pieces, in one call.
  static constexpr std::size_t max_gather_pieces = 256;
  IoResult send_gather(std::span<const ByteView> pieces);

  // All setters return false, with errno set, if the system refuses.
  bool set_blocking(bool blocking);
  // How long a blocking receive or send may wait; zero: no limit. Rounded up to microseconds; the system may
  // round further, to its tick.
  bool set_receive_timeout(std::chrono::nanoseconds timeout);
  bool set_send_timeout(std::chrono::nanoseconds timeout);
  bool set_no_delay(bool on);
  // Makes the system record arrival times, which it then does for all sockets of the machine.
  bool stamp_arrivals();
  bool set_reuse_address(bool on);
  bool set_ipv6_only(bool on);
  // Probes after `idle` of silence, every `interval`, giving up after `count` of them.
  bool set_keep_alive(std::chrono::seconds idle, std::chrono::seconds interval, int count);
  bool set_send_buffer_bytes(int bytes);
  bool set_receive_buffer_bytes(int bytes);
  // The differentiated services code point of sent packets, 0 to 63. The system keeps control of the ECN
  // bits. Also changes the priority, so call set_priority() afterwards.
  bool set_traffic_class(int dscp);
  // Priority in the system's send queues; above 6 it requires CAP_NET_ADMIN.
  static constexpr int highest_free_priority = 6;
  bool set_priority(int priority);
  // How long a read polls the device before it sleeps.
  bool set_busy_poll(std::chrono::microseconds time);
  // Sends only to hosts on directly connected networks.
  bool set_dont_route(bool on);
  // TCP's congestion control, by the system's name: "cubic", or "reno", which always exists.
  bool set_congestion_control(std::string_view name);

  // The error of a completed non-blocking connect; 0: none.
  int take_error();
  // Shuts down both directions and keeps the descriptor: a thread blocked in receive() gets end_of_stream.
  void shut_down() { ::shutdown(fd_, SHUT_RDWR); }
  // Shuts down only the receiving direction.
  void shut_down_reading() { ::shutdown(fd_, SHUT_RD); }
  // Shuts down only the sending direction.
  void shut_down_writing() { ::shutdown(fd_, SHUT_WR); }
  // For a TCP listener: the system drops later connection attempts without an answer.
  bool drop_attempts();

 private:
  IoResult receive_again(MutableBytes into, int error);
  IoResult send_again(ByteView octets, int error);
  IoResult failure(int error) const;

  int fd_ = -1;
  bool blocking_ = true;
};

}  // namespace takt::os
