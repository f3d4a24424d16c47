// TCP over loopback, blocking.
#pragma once

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>

namespace bench::raw {

inline int checked(ssize_t result, const char* what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
  return static_cast<int>(result);
}

inline sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

class Socket {
 public:
  explicit Socket(int fd) : fd_(fd) {
    const int yes = 1;
    ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  }
  Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Socket& operator=(Socket&&) = delete;
  ~Socket() {
    if (fd_ >= 0) ::close(fd_);
  }

  // To the port, in decimal, on the loopback address.
  static Socket connect(const std::string& port) {
    const sockaddr_in address = loopback(std::stoi(port));
    Socket socket(checked(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket"));
    checked(::connect(socket.fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address), "connect");
    return socket;
  }

  int fd() const { return fd_; }

  // 0 once the other side has gone.
  std::size_t read_some(void* data, std::size_t max) {
    const ssize_t got = ::recv(fd_, data, max, 0);
    if (got < 0 && errno == ECONNRESET) return 0;
    return static_cast<std::size_t>(checked(got, "recv"));
  }
  void write_all(const void* data, std::size_t size) {
    for (auto* from = static_cast<const char*>(data); size > 0;) {
      const auto sent = static_cast<std::size_t>(checked(::send(fd_, from, size, MSG_NOSIGNAL), "send"));
      from += sent;
      size -= sent;
    }
  }

 private:
  int fd_;
};

class Listener {
 public:
  Listener() : fd_(checked(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket")) {
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    checked(::bind(fd_, generic, size), "bind");
    checked(::listen(fd_, 128), "listen");
    checked(::getsockname(fd_, generic, &size), "getsockname");
    port_ = ntohs(address.sin_port);
  }
  int fd() const { return fd_; }
  int port() const { return port_; }
  Socket accept() const { return Socket(checked(::accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC), "accept")); }

 private:
  int fd_;  // open for as long as the process
  int port_ = 0;
};

}  // namespace bench::raw
