// A port that takes no connections, and refuses none.
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <vector>

#include "loopback_listener.h"

namespace feature {

// A port whose queue of connections is full: Linux drops the requests of further ones, which come again after
// a second.
class FullPort {
 public:
  enum class Filled : std::uint8_t { at_once, later };
  explicit FullPort(Filled filled = Filled::at_once) {
    if (filled == Filled::at_once) fill();
  }
  ~FullPort() {
    for (const int fd : fillers_) ::close(fd);
  }
  FullPort(const FullPort&) = delete;
  FullPort& operator=(const FullPort&) = delete;

  void fill() {
    for (int i = 0; i < 4; ++i) {
      fillers_.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
      (void)::connect(fillers_.back(), reinterpret_cast<const sockaddr*>(&listener_.address()),
                      sizeof listener_.address());
    }
  }
  int accept() const { return ::accept(listener_.fd(), nullptr, nullptr); }
  // Takes what waits, and what comes later.
  void open() {
    ::listen(listener_.fd(), 16);
    for (const int fd : fillers_) ::close(fd);
    fillers_.clear();
  }
  std::uint16_t port() const { return listener_.port(); }
  std::string url() const { return "corbaloc:iiop:1.2@127.0.0.1:" + std::to_string(port()) + "/Object"; }

 private:
  const LoopbackListener listener_{0};
  std::vector<int> fillers_;
};

}  // namespace feature
