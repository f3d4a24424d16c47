// A socket that listens at a port of this machine.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <stdexcept>

namespace feature {

// By TCP on the loopback interface, at a port that the system chooses. The destructor closes it.
class LoopbackListener {
 public:
  explicit LoopbackListener(int backlog) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address_;
    auto* const generic = reinterpret_cast<sockaddr*>(&address_);
    if (fd_ < 0 || ::bind(fd_, generic, size) != 0 || ::listen(fd_, backlog) != 0 ||
        ::getsockname(fd_, generic, &size) != 0)
      throw std::runtime_error("no loopback listener");
  }
  ~LoopbackListener() { ::close(fd_); }
  LoopbackListener(const LoopbackListener&) = delete;
  LoopbackListener& operator=(const LoopbackListener&) = delete;

  int fd() const { return fd_; }
  const sockaddr_in& address() const { return address_; }
  std::uint16_t port() const { return ntohs(address_.sin_port); }

 private:
  const int fd_;
  sockaddr_in address_{};
};

}  // namespace feature
