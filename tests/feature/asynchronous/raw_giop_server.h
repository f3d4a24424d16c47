// A server of raw GIOP messages, for clients with asynchronous calls.
#pragma once

#include <sys/socket.h>

#include <atomic>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "calls/hostile_server.h"
#include "hostile/raw_peer.h"
#include "make_orb.h"

namespace feature {

using namespace std::chrono_literals;
using Octs = std::vector<std::uint8_t>;

// A hostile server that stops reading when its test ends, although the client keeps the connection.
class Peer {
 public:
  using Script = std::function<void(Peer& peer, int fd, int number)>;
  explicit Peer(Script script)
      : server_([this, script = std::move(script)](int fd, int number) { script(*this, fd, number); }) {}
  ~Peer() { over_ = true; }
  // Empty at the end of the connection or test, or after that time.
  Octs receive(int fd, std::chrono::milliseconds patience = 20s) {
    pollfd waiting{fd, POLLIN, 0};
    for (auto left = patience; !over_ && left > 0ms; left -= 10ms)
      if (::poll(&waiting, 1, 10) > 0) return receive_some(fd);
    return {};
  }
  std::string url() const { return server_.url(); }
  // For the script: leaves the client alone until the test ends.
  void wait_for_end() const {
    while (!over_) std::this_thread::sleep_for(1ms);
  }
  // For the script: tells the test something.
  void note(Octs octets) {
    std::lock_guard lock(mutex_);
    notes_.push_back(std::move(octets));
    changed_.notify_all();
  }
  // Waits for the next note, and removes it. Empty if there is none.
  Octs noted() const {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, 10s, [&] { return !notes_.empty(); })) return {};
    Octs first = std::move(notes_.front());
    notes_.pop_front();
    return first;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  mutable std::deque<Octs> notes_;
  std::atomic<bool> over_{false};
  HostileServer server_;
};
// The ids of the whole requests in the octets.
inline std::vector<Octs> ids_in(const Octs& octets) {
  std::vector<Octs> ids;
  for (std::size_t at = 0; at + 16 <= octets.size();) {
    std::uint32_t size;
    std::memcpy(&size, &octets[at + 8], 4);
    if (octets[at + 7] == 0)
      ids.emplace_back(octets.begin() + static_cast<std::ptrdiff_t>(at + 12),
                       octets.begin() + static_cast<std::ptrdiff_t>(at + 16));
    at += 12 + size;
  }
  return ids;
}
// The types of the messages.
inline Octs types_in(const Octs& octets) {
  Octs types;
  for (std::size_t at = 0; at + 12 <= octets.size();) {
    std::uint32_t size;
    std::memcpy(&size, &octets[at + 8], 4);
    types.push_back(octets[at + 7]);
    at += 12 + size;
  }
  return types;
}
inline Octs reply_to(const Octs& id, std::uint32_t status, const Octs& body) {
  MessageOctets reply(1);
  reply.raw(id).u32(status).u32(0).align(8);
  return reply.raw(body).finish();
}
// Forwards each request to the object with those octets, LOCATION_FORWARD.
inline void forward_each(Peer& peer, int fd, const Octs& there) {
  for (Octs all = peer.receive(fd); !all.empty(); all = peer.receive(fd))
    for (const Octs& id : ids_in(all)) send_octets(fd, reply_to(id, 3, there));
}
inline Octs close_message() { return MessageOctets(5).finish(); }
inline Octs ior_octets(const Orb& orb, const CORBA::object_reference<CORBA::Object>& object) {
  const std::string text = orb->object_to_string(object);
  Octs octets;
  for (std::size_t i = 4; i + 1 < text.size(); i += 2)
    octets.push_back(static_cast<std::uint8_t>(std::stoi(text.substr(i, 2), nullptr, 16)));
  return {octets.begin() + 4, octets.end()};
}

}  // namespace feature
