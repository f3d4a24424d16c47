// A server that answers nothing() and records the requests of each connection.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <list>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace feature {

class RecordingServer {
 public:
  struct Connection {
    std::vector<std::uint32_t> request_ids;
    bool closed = false;
  };
  // reply: answers; cut: closes the connection; close: closes it in good order; last: replies, then closes in
  // good order; keep: waits until answer_kept().
  enum class Answer { reply, cut, close, last, keep };

  // `answer` is called before each reply with the number of the connection, which is not read meanwhile.
  explicit RecordingServer(std::function<Answer(std::size_t)> answer =
                               [](std::size_t) { return Answer::reply; })
      : answer_(std::move(answer)), listener_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener_, generic, length) != 0 || ::listen(listener_, 64) != 0 ||
        ::getsockname(listener_, generic, &length) != 0)
      throw std::runtime_error("no loopback listener");
    port_ = ntohs(address.sin_port);
    accepting_ = std::thread([this] { accept_all(); });
  }
  ~RecordingServer() {
    ::shutdown(listener_, SHUT_RDWR);
    accepting_.join();
    {
      std::lock_guard lock(mutex_);
      for (const int fd : open_) ::shutdown(fd, SHUT_RDWR);
    }
    for (auto& thread : serving_) thread.join();
    ::close(listener_);
  }

  std::uint16_t port() const { return port_; }
  std::string url() const { return "corbaloc:iiop:1.2@127.0.0.1:" + std::to_string(port_) + "/Object"; }
  std::vector<Connection> connections() const {
    std::lock_guard lock(mutex_);
    return connections_;
  }

  std::size_t kept() const {
    std::lock_guard lock(mutex_);
    return kept_.size();
  }
  // Answers in reverse order.
  void answer_kept() {
    std::lock_guard lock(mutex_);
    for (; !kept_.empty(); kept_.pop_back())
      if (std::find(open_.begin(), open_.end(), kept_.back().first) != open_.end())
        (void)reply(kept_.back().first, kept_.back().second);
  }

 private:
  void accept_all() {
    for (int fd; (fd = ::accept(listener_, nullptr, nullptr)) >= 0;) {
      std::lock_guard lock(mutex_);
      const std::size_t number = connections_.size();
      connections_.emplace_back();
      open_.push_back(fd);
      serving_.emplace_back([this, fd, number] { serve(fd, number); });
    }
  }

  void serve(int fd, std::size_t number) {
    std::uint8_t header[12];
    while (::recv(fd, header, sizeof header, MSG_WAITALL) == sizeof header) {
      std::uint32_t size;
      std::memcpy(&size, header + 8, 4);
      std::vector<std::uint8_t> body(size);
      if (size > 0 && ::recv(fd, body.data(), size, MSG_WAITALL) != static_cast<ssize_t>(size)) break;
      if (!take(fd, number, header[7], body)) break;
    }
    std::lock_guard lock(mutex_);
    connections_[number].closed = true;
    std::erase(open_, fd);
    ::close(fd);
  }

  bool take(int fd, std::size_t number, std::uint8_t type, const std::vector<std::uint8_t>& body) {
    if (type != 0) return true;
    std::uint32_t id;
    std::memcpy(&id, body.data(), 4);
    {
      std::lock_guard lock(mutex_);
      connections_[number].request_ids.push_back(id);
    }
    const bool answered = body[4] != 0;  // response_flags
    const Answer answer = answer_(number);
    std::lock_guard lock(mutex_);
    switch (answer) {
      case Answer::cut:
        return false;
      case Answer::close:
        (void)::send(fd, "GIOP\1\2\1\5\0\0\0\0", 12, MSG_NOSIGNAL);
        return false;
      case Answer::keep:
        kept_.emplace_back(fd, id);
        return true;
      case Answer::last:
        (void)reply(fd, id);
        (void)::send(fd, "GIOP\1\2\1\5\0\0\0\0", 12, MSG_NOSIGNAL);
        return false;
      case Answer::reply:
        break;
    }
    return !answered || reply(fd, id);
  }
  static bool reply(int fd, std::uint32_t id) {
    std::uint8_t message[24] = {'G', 'I', 'O', 'P', 1, 2, 1, 1, 12};
    std::memcpy(message + 12, &id, 4);
    return ::send(fd, message, sizeof message, MSG_NOSIGNAL) == sizeof message;
  }

  const std::function<Answer(std::size_t)> answer_;
  const int listener_;
  std::uint16_t port_ = 0;
  mutable std::mutex mutex_;
  std::vector<Connection> connections_;
  std::vector<int> open_;
  std::vector<std::pair<int, std::uint32_t>> kept_;
  std::list<std::thread> serving_;
  std::thread accepting_;
};

}  // namespace feature
