// Blocking sockets: TCP with or without TLS by OpenSSL, UDP, and UNIX-domain.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace bench::raw {

inline int checked(ssize_t result, const char* what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
  return static_cast<int>(result);
}

inline constexpr const char* loopback_host = "127.0.0.1";

inline sockaddr_in internet(const std::string& host, int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  if (::inet_pton(AF_INET, host.c_str(), &address.sin_addr) != 1)
    throw std::runtime_error("no address of IPv4: " + host);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}
// Parses HOST:PORT.
inline sockaddr_in internet(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) throw std::runtime_error("no port in " + text);
  return internet(text.substr(0, colon), std::stoi(text.substr(colon + 1)));
}

// Addresses as text: HOST:PORT, optionally after "tls:" or "udp:", or "unix:" and a name in the abstract
// namespace.
inline constexpr std::string_view unix_prefix = "unix:", tls_prefix = "tls:", udp_prefix = "udp:";

// One end of a TLS connection, which OpenSSL reads and writes itself.
struct TlsFree {
  void operator()(SSL* end) const { SSL_free(end); }
};
using Tls = std::unique_ptr<SSL, TlsFree>;

inline void checked_tls(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(what);
}

inline Tls shake_hands(SSL_CTX* context, int fd, bool server) {
  Tls end(SSL_new(context));
  SSL_set_fd(end.get(), fd);
  SSL_set_read_ahead(end.get(), 1);  // without this, OpenSSL calls read() twice per record
  checked_tls((server ? SSL_accept(end.get()) : SSL_connect(end.get())) == 1, "TLS handshake");
  return end;
}

class Socket {
 public:
  explicit Socket(int fd) : fd_(fd) {
    // Both calls fail on a UNIX-domain socket, which has neither that delay nor congestion control. Takt uses
    // Reno within a host too.
    const int yes = 1;
    ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    ::setsockopt(fd_, IPPROTO_TCP, TCP_CONGESTION, "reno", 4);
  }
  Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)), tls_(std::move(other.tls_)) {}
  Socket& operator=(Socket&&) = delete;
  ~Socket() {
    if (fd_ >= 0) ::close(fd_);
  }

  static Socket connect(const std::string& address) {
    if (address.starts_with(tls_prefix)) {
      Socket socket = connect_tcp(address.substr(tls_prefix.size()));
      static SSL_CTX* const context = SSL_CTX_new(TLS_client_method());
      socket.tls_ = shake_hands(context, socket.fd_, false);
      return socket;
    }
    if (address.starts_with(udp_prefix)) return connect_udp(address.substr(udp_prefix.size()));
    return address.starts_with(unix_prefix) ? connect_unix(address.substr(unix_prefix.size()))
                                            : connect_tcp(address);
  }

  int fd() const { return fd_; }
  void encrypt(SSL_CTX* context) { tls_ = shake_hands(context, fd_, true); }

  // 0 once the peer has closed the connection.
  std::size_t read_some(void* data, std::size_t max) {
    if (tls_) return read_decrypted(data, max);
    const ssize_t got = ::recv(fd_, data, max, 0);
    if (got < 0 && errno == ECONNRESET) return 0;
    return static_cast<std::size_t>(checked(got, "recv"));
  }
  void write_all(const void* data, std::size_t size) {
    if (tls_) return checked_tls(SSL_write(tls_.get(), data, static_cast<int>(size)) > 0, "SSL_write");
    for (auto* from = static_cast<const char*>(data); size > 0;) {
      const auto sent = static_cast<std::size_t>(checked(::send(fd_, from, size, MSG_NOSIGNAL), "send"));
      from += sent;
      size -= sent;
    }
  }

 private:
  std::size_t read_decrypted(void* data, std::size_t max) {
    const int got = SSL_read(tls_.get(), data, static_cast<int>(max));
    return got > 0 ? static_cast<std::size_t>(got) : 0;
  }
  static Socket connect_tcp(const std::string& text) {
    const sockaddr_in address = internet(text);
    Socket socket(checked(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket"));
    checked(::connect(socket.fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address), "connect");
    return socket;
  }
  // A message is a datagram; lost ones are not sent again. The first datagrams, of one octet, set up a kind
  // of connection.
  static Socket connect_udp(const std::string& text) {
    const sockaddr_in address = internet(text);
    Socket socket(checked(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), "socket"));
    checked(::connect(socket.fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address), "connect");
    char octet = 0;
    socket.write_all(&octet, 1);
    socket.read_some(&octet, 1);
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
  Tls tls_;  // null: no TLS
};

// Uses the certificate and key in the PEM file.
inline SSL_CTX* tls_server(const std::string& file) {
  SSL_CTX* const context = SSL_CTX_new(TLS_server_method());  // kept until the process ends
  checked_tls(SSL_CTX_use_certificate_chain_file(context, file.c_str()) == 1 &&
                  SSL_CTX_use_PrivateKey_file(context, file.c_str(), SSL_FILETYPE_PEM) == 1,
              "--certificate");
  return context;
}

class Listener {
 public:
  enum class Over { tcp, unix_domain, udp };

  Listener() : Listener(Over::tcp) {}
  // `tls`: encrypts each connection; null: no TLS.
  explicit Listener(Over over, SSL_CTX* tls = nullptr, std::string host = loopback_host)
      : fd_(checked(::socket(over == Over::unix_domain ? AF_UNIX : AF_INET,
                             (over == Over::udp ? SOCK_DGRAM : SOCK_STREAM) | SOCK_CLOEXEC, 0),
                    "socket")),
        tls_(tls),
        udp_(over == Over::udp),
        host_(std::move(host)) {
    if (over == Over::unix_domain)
      listen_unix();
    else
      listen_internet();
    if (tls_) address_.insert(0, tls_prefix);
  }
  int fd() const { return fd_; }
  // The address for Socket::connect().
  const std::string& address() const { return address_; }
  Socket accept() const {
    if (udp_) return accept_udp();
    Socket socket(checked(::accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC), "accept"));
    if (tls_) socket.encrypt(tls_);
    return socket;
  }

 private:
  void listen_internet() {
    sockaddr_in address = internet(host_, 0);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    if (udp_) share_port(fd_);
    checked(::bind(fd_, generic, size), "bind");
    if (!udp_) checked(::listen(fd_, 128), "listen");
    checked(::getsockname(fd_, generic, &size), "getsockname");
    port_ = ntohs(address.sin_port);
    address_ = (udp_ ? std::string(udp_prefix) : "") + host_ + ':' + std::to_string(port_);
  }
  static void share_port(int fd) {
    const int yes = 1;
    checked(::setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &yes, sizeof yes), "SO_REUSEPORT");
  }
  // Makes a socket at the same port for one client only.
  Socket accept_udp() const {
    sockaddr_in client{};
    socklen_t size = sizeof client;
    auto* const generic = reinterpret_cast<sockaddr*>(&client);
    char octet = 0;
    checked(::recvfrom(fd_, &octet, 1, 0, generic, &size), "recvfrom");
    const int fd = checked(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), "socket");
    share_port(fd);
    const sockaddr_in own = internet(host_, port_);
    checked(::bind(fd, reinterpret_cast<const sockaddr*>(&own), sizeof own), "bind");
    checked(::connect(fd, generic, size), "connect");
    Socket socket(fd);
    socket.write_all(&octet, 1);
    return socket;
  }
  // Listens at an abstract name that the system chooses.
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

  int fd_;  // kept open until the process ends
  SSL_CTX* const tls_;
  const bool udp_;
  const std::string host_;
  int port_ = 0;
  std::string address_;
};

}  // namespace bench::raw
