// A network between UDP clients and a server that loses, duplicates and reorders datagrams with given odds.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <random>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace takt::test {

using Octets = std::vector<std::uint8_t>;

class LossyRelay {
 public:
  struct Odds {
    unsigned lost = 0, doubled = 0, late = 0;  // percent; a late datagram comes after the next one
  };

  // Relays to the port at the loopback address.
  LossyRelay(std::uint16_t server_port, Odds odds, unsigned seed = 1)
      : server_port_(server_port), odds_(odds), random_(seed), front_(::socket(AF_INET, SOCK_DGRAM, 0)) {
    const sockaddr_in any = loopback(0);
    sockaddr_in bound{};
    socklen_t size = sizeof bound;
    if (::bind(front_, reinterpret_cast<const sockaddr*>(&any), sizeof any) != 0 ||
        ::getsockname(front_, reinterpret_cast<sockaddr*>(&bound), &size) != 0)
      throw std::runtime_error("no relay");
    port_ = ntohs(bound.sin_port);
    thread_ = std::thread([this] { run(); });
  }
  ~LossyRelay() {
    stopping_ = true;
    thread_.join();
    ::close(front_);
    for (const auto& [client, back] : backs_) ::close(back);
  }
  LossyRelay(const LossyRelay&) = delete;
  LossyRelay& operator=(const LossyRelay&) = delete;

  std::uint16_t port() const { return port_; }
  void set_odds(Odds odds) {
    const std::lock_guard lock(mutex_);
    odds_ = odds;
  }
  unsigned lost() const { return lost_; }
  unsigned passed() const { return passed_; }
  // The datagrams from clients as they came.
  std::vector<Octets> heard() {
    const std::lock_guard lock(mutex_);
    return heard_;
  }
  // Sends a datagram to the server, with the last client's apparent address.
  void say(const Octets& datagram) {
    const std::lock_guard lock(mutex_);
    if (!backs_.empty()) ::send(last_back_, datagram.data(), datagram.size(), MSG_NOSIGNAL);
  }

 private:
  using Send = std::function<void(const Octets&)>;

  static sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    return address;
  }

  void run() {
    while (!stopping_) {
      std::vector<pollfd> ready{{front_, POLLIN, 0}};
      for (const auto& [client, back] : backs_) ready.push_back({back, POLLIN, 0});
      if (::poll(ready.data(), ready.size(), 5) <= 0) {
        release();
        continue;
      }
      const std::lock_guard lock(mutex_);
      if (ready.front().revents != 0) from_client();
      std::size_t i = 1;
      for (const auto& [client, back] : std::map(backs_))
        if (i < ready.size() && ready[i++].revents != 0) from_server(client, back);
    }
  }

  void from_client() {
    Octets octets(65536);
    sockaddr_in client{};
    socklen_t size = sizeof client;
    const auto count = ::recvfrom(front_, octets.data(), octets.size(), MSG_DONTWAIT,
                                  reinterpret_cast<sockaddr*>(&client), &size);
    if (count < 0) return;
    octets.resize(static_cast<std::size_t>(count));
    heard_.push_back(octets);
    const int back = back_for(ntohs(client.sin_port));
    pass(octets,
         [back](const Octets& datagram) { ::send(back, datagram.data(), datagram.size(), MSG_NOSIGNAL); });
  }
  void from_server(std::uint16_t client, int back) {
    Octets octets(65536);
    const auto count = ::recv(back, octets.data(), octets.size(), MSG_DONTWAIT);
    if (count < 0) return;
    octets.resize(static_cast<std::size_t>(count));
    pass(octets, [this, client](const Octets& datagram) {
      const sockaddr_in to = loopback(client);
      ::sendto(front_, datagram.data(), datagram.size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&to),
               sizeof to);
    });
  }
  int back_for(std::uint16_t client) {
    const auto [found, added] = backs_.try_emplace(client, -1);
    if (added) {
      const sockaddr_in server = loopback(server_port_);
      found->second = ::socket(AF_INET, SOCK_DGRAM, 0);
      ::connect(found->second, reinterpret_cast<const sockaddr*>(&server), sizeof server);
    }
    return last_back_ = found->second;
  }

  void pass(const Octets& octets, const Send& send) {
    if (random_() % 100 < odds_.lost) {
      ++lost_;
      return;
    }
    ++passed_;
    if (random_() % 100 < odds_.late) {
      late_.emplace_back([send, octets] { send(octets); });
      return;
    }
    send(octets);
    if (random_() % 100 < odds_.doubled) send(octets);
    for (const auto& late : std::exchange(late_, {})) late();
  }
  void release() {
    const std::lock_guard lock(mutex_);
    for (const auto& late : std::exchange(late_, {})) late();
  }

  const std::uint16_t server_port_;
  std::mutex mutex_;
  Odds odds_;
  std::mt19937 random_;
  const int front_;
  int last_back_ = -1;
  std::uint16_t port_ = 0;
  std::map<std::uint16_t, int> backs_;
  std::vector<std::function<void()>> late_;
  std::vector<Octets> heard_;
  std::atomic<unsigned> lost_{0}, passed_{0};
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace takt::test
