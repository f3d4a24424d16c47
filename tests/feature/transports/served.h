// A server at endpoints that the test chooses, a client, and the options of their sockets.
#pragma once

#include <gtest/gtest.h>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <takt/rt/rtcorba.h>
#include <takt/server/peer.h>

#include "../folder.h"
#include "orbs.h"

namespace feature {

using RtOrb = CORBA::object_reference<RTCORBA::RTORB>;

inline RtOrb rt_of(const Orb& orb) {
  return IDL::traits<RTCORBA::RTORB>::narrow(orb->resolve_initial_references("RTORB"));
}

// By one thread, then by several at a time.
inline void expect_calls_of_all_lengths(const EchoRef& echo, const std::string& where) {
  for (std::uint8_t i = 0; i < 6; ++i) EXPECT_EQ(echo->cube(i), i * i * i) << where;
  const Calls::Octets long_one(2'000'000, 7);
  EXPECT_EQ(echo->echo_octets(long_one), long_one) << where;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      const Calls::Octets octets(70'000, 9);
      for (int call = 0; call < 20; ++call) EXPECT_EQ(echo->echo_octets(octets), octets) << where;
    });
}

// A servant that inspects its process in an upcall.
class Looking final : public EchoServant {
 public:
  explicit Looking(std::function<void()> look) : look_(std::move(look)) {}
  void nothing() override { look_(); }

 private:
  const std::function<void()> look_;
};

class Served : public OrbPair {
 public:
  explicit Served(const std::string& endpoints, const Options& server_options = {},
                  const Options& client_options = {})
      : OrbPair(server_options, client_options, endpoints) {}

  std::string ior_in(const Poa& poa, std::function<void()> look = [] {}) const {
    const auto id = poa->activate_object(CORBA::make_reference<Looking>(std::move(look)));
    return server->object_to_string(poa->id_to_reference(id));
  }
  EchoRef echo_in(const Poa& poa, std::function<void()> look = [] {}) const {
    return IDL::traits<Calls::Echo>::narrow(client->string_to_object(ior_in(poa, std::move(look))));
  }
};

// A connected stream socket of this process. `path`: for a server's end of a UNIX-domain socket.
struct OpenSocket {
  int fd;
  int family;
  std::string path;
  std::uint16_t own_port, peer_port;

  int option(int level, int name) const {
    int value = -1;
    socklen_t size = sizeof value;
    EXPECT_EQ(::getsockopt(fd, level, name, &value, &size), 0);
    return value;
  }
};

// Whether it is shut down: a client's thread keeps such a socket until the thread ends.
inline bool is_over(int fd) {
  pollfd one{fd, 0, 0};
  return ::poll(&one, 1, 0) == 1 && (one.revents & POLLHUP) != 0;
}

inline std::vector<OpenSocket> open_sockets() {
  std::vector<OpenSocket> sockets;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    OpenSocket one{std::stoi(entry.path().filename()), 0, "", 0, 0};
    sockaddr_storage own{}, peer{};
    socklen_t own_size = sizeof own, peer_size = sizeof peer;
    if (::getsockname(one.fd, reinterpret_cast<sockaddr*>(&own), &own_size) != 0 ||
        ::getpeername(one.fd, reinterpret_cast<sockaddr*>(&peer), &peer_size) != 0 || is_over(one.fd))
      continue;
    one.family = own.ss_family;
    if (one.family == AF_UNIX && own_size > sizeof(sa_family_t))
      one.path = reinterpret_cast<const sockaddr_un&>(own).sun_path;
    if (one.family == AF_INET) {
      one.own_port = ntohs(reinterpret_cast<const sockaddr_in&>(own).sin_port);
      one.peer_port = ntohs(reinterpret_cast<const sockaddr_in&>(peer).sin_port);
    }
    sockets.push_back(std::move(one));
  }
  return sockets;
}

inline long connections(int family) {
  return std::ranges::count(open_sockets(), family, &OpenSocket::family);
}

}  // namespace feature
