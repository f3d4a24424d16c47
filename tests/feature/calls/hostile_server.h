// A server whose script exchanges raw octets with one client at a time.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace feature {

// Accepts connections on a loopback port, one after the other, and calls `script` with each descriptor and
// the number of the connection. Closes the descriptor afterwards. The destructor ends everything.
class HostileServer {
 public:
  explicit HostileServer(std::function<void(int fd, int number)> script) : script_(std::move(script)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    if (listener_ < 0 || ::bind(listener_, reinterpret_cast<sockaddr*>(&address), length) != 0 ||
        ::listen(listener_, 16) != 0 ||
        ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length) != 0)
      throw std::runtime_error("no loopback listener");
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~HostileServer() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
  }
  HostileServer(const HostileServer&) = delete;
  HostileServer& operator=(const HostileServer&) = delete;

  std::string url() const { return "corbaloc:iiop:1.2@127.0.0.1:" + std::to_string(port_) + "/Object"; }

 private:
  void serve() {
    for (int number = 0;; ++number) {
      const int fd = ::accept(listener_, nullptr, nullptr);
      if (fd < 0) return;
      script_(fd, number);
      ::close(fd);
    }
  }

  std::function<void(int, int)> script_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

inline std::vector<std::uint8_t> receive_some(int fd) {
  std::vector<std::uint8_t> octets(65536);
  const ssize_t count = ::recv(fd, octets.data(), octets.size(), 0);
  octets.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return octets;
}

inline void send_octets(int fd, const std::vector<std::uint8_t>& octets) {
  (void)::send(fd, octets.data(), octets.size(), MSG_NOSIGNAL);
}

}  // namespace feature
