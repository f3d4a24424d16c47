// A server of GIOP 1.2 by hand, which answers every request until it hangs.
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "loopback_listener.h"

namespace feature {

// Answers with an octet of 0: the result of an operation without results, or that an object exists.
class AnsweringPort {
 public:
  AnsweringPort() {
    acceptor_ = std::thread([this] { accept(); });
  }
  ~AnsweringPort() {
    ::shutdown(listener_.fd(), SHUT_RDWR);
    acceptor_.join();
    for (const int each : connections_) ::shutdown(each, SHUT_RDWR);
    for (std::thread& each : readers_) each.join();
    for (const int each : connections_) ::close(each);
  }
  AnsweringPort(const AnsweringPort&) = delete;
  AnsweringPort& operator=(const AnsweringPort&) = delete;

  std::string object(int number) const {
    return "corbaloc:iiop:1.2@127.0.0.1:" + std::to_string(listener_.port()) + "/object" +
           std::to_string(number);
  }
  // It reads on, and answers no more.
  void hang() { hangs_ = true; }
  int answers() const { return answers_; }

 private:
  void accept() {
    for (int connection = 0; (connection = ::accept(listener_.fd(), nullptr, nullptr)) >= 0;) {
      connections_.push_back(connection);
      readers_.emplace_back([this, connection] { answer(connection); });
    }
  }
  static bool read(int connection, std::uint8_t* to, std::size_t octets) {
    return ::recv(connection, to, octets, MSG_WAITALL) == static_cast<ssize_t>(octets);
  }
  // In the byte order of this machine, as its own clients write.
  void answer(int connection) {
    constexpr std::size_t header = 12;
    constexpr std::uint8_t request = 0, reply = 1;
    std::array<std::uint8_t, header> head{};
    std::vector<std::uint8_t> body;
    while (read(connection, head.data(), head.size())) {
      std::uint32_t length = 0;
      std::memcpy(&length, &head[8], sizeof length);
      body.resize(length);
      if (!read(connection, body.data(), body.size())) return;
      if (head[7] != request || hangs_) continue;
      std::array<std::uint8_t, header + 13> out{};  // id, status, contexts, and the result
      std::memcpy(out.data(), head.data(), head.size());
      out[7] = reply;
      constexpr std::uint32_t octets = 13;
      std::memcpy(&out[8], &octets, sizeof octets);
      std::memcpy(&out[header], body.data(), sizeof(std::uint32_t));
      ++answers_;
      if (::send(connection, out.data(), out.size(), MSG_NOSIGNAL) < 0) return;
    }
  }

  const LoopbackListener listener_{1'024};
  std::atomic<bool> hangs_{false};
  std::atomic<int> answers_{0};
  std::list<int> connections_;      // the acceptor's
  std::list<std::thread> readers_;  // the acceptor's
  std::thread acceptor_;
};

}  // namespace feature
