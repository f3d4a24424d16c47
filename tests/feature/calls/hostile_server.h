// A server whose script exchanges raw octets with one client at a time.
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "../loopback_listener.h"

namespace feature {

// Accepts connections on a loopback port, one after the other, and calls `script` with each descriptor and
// the number of the connection. Closes the descriptor afterwards. The destructor ends everything.
class HostileServer {
 public:
  explicit HostileServer(std::function<void(int fd, int number)> script) : script_(std::move(script)) {
    thread_ = std::thread([this] { serve(); });
  }
  ~HostileServer() {
    ::shutdown(listener_.fd(), SHUT_RDWR);
    thread_.join();
  }
  HostileServer(const HostileServer&) = delete;
  HostileServer& operator=(const HostileServer&) = delete;

  std::string url() const {
    return "corbaloc:iiop:1.2@127.0.0.1:" + std::to_string(listener_.port()) + "/Object";
  }

 private:
  void serve() {
    for (int number = 0;; ++number) {
      const int fd = ::accept(listener_.fd(), nullptr, nullptr);
      if (fd < 0) return;
      script_(fd, number);
      ::close(fd);
    }
  }

  std::function<void(int, int)> script_;
  const LoopbackListener listener_{16};
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
