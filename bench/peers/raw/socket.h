// TCP over loopback and UNIX-domain sockets, blocking.
#pragma once

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
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

// An address in text: a port in decimal, or "unix:" and a name in the abstract space.
inline constexpr std::string_view unix_prefix = "unix:";

class Socket {
 public:
  explicit Socket(int fd) : fd_(fd) {
    const int yes = 1;  // fails on a UNIX-domain socket, which has no such delay
    ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  }
  Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Socket& operator=(Socket&&) = delete;
  ~Socket() {
    if (fd_ >= 0) ::close(fd_);
  }

  static Socket connect(const std::string& address) {
    return address.starts_with(unix_prefix) ? connect_unix(address.substr(unix_prefix.size()))
                                            : connect_tcp(address);
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
  // On the loopback address.
  static Socket connect_tcp(const std::string& port) {
    const sockaddr_in address = loopback(std::stoi(port));
    Socket socket(checked(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket"));
    checked(::connect(socket.fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address), "connect");
    return socket;
  }
  static Socket connect_unix(const std::string& name) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    name.copy(address.sun_path + 1, sizeof address.sun_path - 1);
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    Socket socket(checked(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket"));
    checked(::connect(socket.fd_, reinterpret_cast<const sockaddr*>(&address), size), "connect");
    return socket;
  }

  int fd_;
};

class Listener {
 public:
  Listener() : Listener(false) {}
  explicit Listener(bool over_unix)
      : fd_(checked(::socket(over_unix ? AF_UNIX : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket")) {
    if (over_unix)
      listen_unix();
    else
      listen_tcp();
  }
  int fd() const { return fd_; }
  int port() const { return port_; }
  // For Socket::connect().
  const std::string& address() const { return address_; }
  Socket accept() const { return Socket(checked(::accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC), "accept")); }

 private:
  void listen_tcp() {
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    checked(::bind(fd_, generic, size), "bind");
    checked(::listen(fd_, 128), "listen");
    checked(::getsockname(fd_, generic, &size), "getsockname");
    port_ = ntohs(address.sin_port);
    address_ = std::to_string(port_);
  }
  // At an abstract name that the system finds.
  void listen_unix() {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    socklen_t size = sizeof address.sun_family;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    checked(::bind(fd_, generic, size), "bind");
    checked(::listen(fd_, 128), "listen");
    size = sizeof address;
    checked(::getsockname(fd_, generic, &size), "getsockname");
    address_ = std::string(unix_prefix);
    address_.append(address.sun_path + 1, size - offsetof(sockaddr_un, sun_path) - 1);
  }

  int fd_;  // open for as long as the process
  int port_ = 0;
  std::string address_;
};

}  // namespace bench::raw
