// A port of this machine for servers that are restarted.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <stdexcept>
#include <string>

namespace feature {

// Reserves a port while this object exists: the system does not assign it to programs that ask for any port.
// Nothing listens on it. Programs that name it may use it one after the other, because server sockets have
// SO_REUSEADDR.
class KeptPort {
 public:
  KeptPort() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const int on = 1;
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        ::bind(socket_, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
      throw std::runtime_error("no port");
    port_ = ntohs(address.sin_port);
    endpoint_ = "iiop://127.0.0.1:" + std::to_string(port_);
  }
  ~KeptPort() { ::close(socket_); }
  KeptPort(const KeptPort&) = delete;
  KeptPort& operator=(const KeptPort&) = delete;

  const std::string& endpoint() const { return endpoint_; }
  std::uint16_t port() const { return port_; }

 private:
  const int socket_;
  std::uint16_t port_ = 0;
  std::string endpoint_;
};

}  // namespace feature
