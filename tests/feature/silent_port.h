// A port at which clients can connect, and nothing ever answers.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

namespace feature {

// Calls that wait for it fail when it is destroyed.
class SilentPort {
 public:
  SilentPort() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    if (::bind(socket_, generic, size) != 0 || ::listen(socket_, 1'000) != 0 ||
        ::getsockname(socket_, generic, &size) != 0)
      throw std::runtime_error("no port");
    port_ = ntohs(address.sin_port);
  }
  ~SilentPort() { ::close(socket_); }
  SilentPort(const SilentPort&) = delete;
  SilentPort& operator=(const SilentPort&) = delete;

  // The address of an object there.
  std::string object(int number) const {
    return "corbaloc:iiop:1.2@127.0.0.1:" + std::to_string(port_) + "/object" + std::to_string(number);
  }

 private:
  const int socket_;
  int port_ = 0;
};

}  // namespace feature
