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

// recv() and send() as the kernel has them. Those of the C library are cancellation points, for which they
// change the thread's state before and after with an atomic operation each, where there is more than one
// thread; nobody may cancel a thread inside the ORB. Sanitizers know only the library's.
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

// Owns one descriptor. Moving hands it over; the destructor closes it. send() and receive() may be
// used by two threads at a time, one each; shut_down() by any. Nothing here allocates.
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

  // One system call each, repeated only when a signal interrupted it. No octets to move is an error
  // (EINVAL), since a result of 0 octets could not be told from the end of the stream.
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
  // The same, and how long ago the last of these octets came from the network; 0 where the system does not
  // say. After stamp_arrivals().
  IoResult receive_stamped(MutableBytes into, std::chrono::nanoseconds& age);
  // Sends the first pieces, at most max_gather_pieces of them, in one call.
  static constexpr std::size_t max_gather_pieces = 256;
  IoResult send_gather(std::span<const ByteView> pieces);

  // False, with errno set, when the system refuses; so for all setters.
  bool set_blocking(bool blocking);
  // How long a blocking receive or send may wait; zero: for ever. Rounded up to microseconds; the
  // system may round further, to its own tick.
  bool set_receive_timeout(std::chrono::nanoseconds timeout);
  bool set_send_timeout(std::chrono::nanoseconds timeout);
  bool set_no_delay(bool on);
  // Has the system note when octets arrive; it then does so for all sockets of the machine.
  bool stamp_arrivals();
  bool set_reuse_address(bool on);
  bool set_ipv6_only(bool on);
  // Probes after `idle` of silence, every `interval`, giving up after `count` of them.
  bool set_keep_alive(std::chrono::seconds idle, std::chrono::seconds interval, int count);
  bool set_send_buffer_bytes(int bytes);
  bool set_receive_buffer_bytes(int bytes);
  // The differentiated services code point of what is sent, 0 to 63; the ECN bits stay the system's. Sets the
  // priority, too, so set that afterwards.
  bool set_traffic_class(int dscp);
  // In the system's queues; above 6 it takes CAP_NET_ADMIN.
  static constexpr int highest_free_priority = 6;
  bool set_priority(int priority);
  // How long a read polls the device for octets before it sleeps.
  bool set_busy_poll(std::chrono::microseconds time);
  // Only to hosts of networks that this machine is in.
  bool set_dont_route(bool on);
  // What decides how fast TCP sends, by the system's name for it: "reno", which is always there, "cubic".
  bool set_congestion_control(std::string_view name);

  // The error that a non-blocking connect ended with, 0 for none.
  int take_error();
  // Ends both directions and keeps the descriptor: a thread blocked in receive() gets end_of_stream.
  void shut_down() { ::shutdown(fd_, SHUT_RDWR); }
  // Ends the receiving direction only.
  void shut_down_reading() { ::shutdown(fd_, SHUT_RD); }
  // Ends the sending direction only.
  void shut_down_writing() { ::shutdown(fd_, SHUT_WR); }
  // Of a TCP listener: attempts to connect that begin from now on are dropped by the system, unanswered.
  bool drop_attempts();

 private:
  IoResult receive_again(MutableBytes into, int error);
  IoResult send_again(ByteView octets, int error);
  IoResult failure(int error) const;

  int fd_ = -1;
  bool blocking_ = true;
};

}  // namespace takt::os
