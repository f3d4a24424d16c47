// A port of this host for tests of calls that no server answers.
#pragma once

#include <string>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

// Nothing listens to it until listen().
class Port {
 public:
  // `version`: that of GIOP in the URL, as "1.2@"; empty: the URL has none.
  explicit Port(const char* version = "1.2@") : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    bind(socket_, reinterpret_cast<sockaddr*>(&where), sizeof where);
    url = std::string("corbaloc:iiop:") + version + "127.0.0.1:" + std::to_string(ntohs(address().sin_port)) +
          "/object";
  }
  ~Port() { close(socket_); }
  Port(const Port&) = delete;
  Port& operator=(const Port&) = delete;

  void listen(int backlog = 100) { ::listen(socket_, backlog); }
  sockaddr_in address() const {
    sockaddr_in where{};
    socklen_t size = sizeof where;
    getsockname(socket_, reinterpret_cast<sockaddr*>(&where), &size);
    return where;
  }
  int socket_number() const { return socket_; }
  void stop() { shutdown(socket_, SHUT_RDWR); }
  std::string url;

 private:
  int socket_;
};

// A server that takes connections and says nothing.
class Silent : public Port {
 public:
  Silent() : Port("") { listen(); }
};
