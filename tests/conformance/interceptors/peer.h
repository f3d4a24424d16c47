// A server of raw GIOP messages for the rows: it answers a request so that the client has to send it again.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace rows {

// Serves all connections in a thread of its own.
class Peer {
 public:
  // How it answers a request: closes the connection in good order, asks for the whole profile, forwards for
  // good, or closes the connection at once.
  enum class Answers { closes, readdresses, moves, loses };
  Peer();
  ~Peer();
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  // A stringified reference, with components for the ORB's type and code sets.
  std::string reference() const;
  // The next request is answered like this, and those behind it by the long 6. `refuge`: where it forwards.
  void begin(Answers next, const std::string& refuge);

 private:
  using Octets = std::vector<std::uint8_t>;
  void serve();
  bool read(int fd);  // false: the connection has ended
  bool answer(int fd, const Octets& request);

  int listener_ = -1, stop_[2] = {-1, -1};
  std::uint16_t port_ = 0;
  std::map<int, Octets> connections_;  // unread octets of each; the thread's
  std::mutex mutex_;
  bool plain_ = true;
  Answers next_{};
  Octets refuge_;  // as a reply has it
  std::thread thread_;
};

}  // namespace rows
