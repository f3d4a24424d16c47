#include "tunnel.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace takt::test {

namespace {

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

void require(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(what);
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) { require(fd >= 0, "no descriptor"); }
  ~Descriptor() { ::close(fd_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  const int fd_;
};

bool send_all(int fd, const char* octets, std::size_t size) {
  while (size > 0) {
    const ssize_t count = ::send(fd, octets, size, MSG_NOSIGNAL);
    if (count <= 0) return false;
    octets += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

// Sends the first few KiB in records of a size that fits no message, and the rest in large ones.
bool say(SSL* end, const char* octets, std::size_t size) {
  for (std::size_t at = 0; at < size;) {
    const std::size_t count = std::min<std::size_t>(size - at, at < 4096 ? 47 : 16384);
    if (SSL_write(end, octets + at, static_cast<int>(count)) <= 0) return false;
    at += count;
  }
  return true;
}

void pass_on(SSL* end, int peer) {
  char octets[65536];
  for (bool peer_talks = true;;) {
    pollfd both[] = {{SSL_get_fd(end), POLLIN, 0}, {peer_talks ? peer : -1, POLLIN, 0}};
    if (SSL_pending(end) == 0 && ::poll(both, 2, -1) < 0) return;
    if (both[0].revents != 0 || SSL_pending(end) > 0) {
      const int count = SSL_read(end, octets, sizeof octets);
      const bool later = count <= 0 && SSL_get_error(end, count) == SSL_ERROR_WANT_READ;  // a session ticket
      if (!later && (count <= 0 || !send_all(peer, octets, static_cast<std::size_t>(count)))) return;
    }
    if (both[1].revents == 0) continue;
    const ssize_t count = ::recv(peer, octets, sizeof octets, 0);
    peer_talks = count > 0 && say(end, octets, static_cast<std::size_t>(count));
    if (!peer_talks) SSL_shutdown(end);
    if (count < 0) return;
  }
}

}  // namespace

struct TlsTunnel::Parts {
  explicit Parts(std::uint16_t server) : server_port(server) {
    SSL_CTX_clear_mode(context, SSL_MODE_AUTO_RETRY);  // return available data instead of waiting for more
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    require(::bind(listener.get(), generic, size) == 0 && ::listen(listener.get(), 128) == 0 &&
                ::getsockname(listener.get(), generic, &size) == 0,
            "the tunnel cannot listen");
    port = ntohs(address.sin_port);
    accepting = std::thread([this] { accept(); });
  }
  ~Parts() {
    ::shutdown(listener.get(), SHUT_RDWR);
    accepting.join();
    {
      const std::lock_guard lock(mutex);
      for (const int fd : open) ::shutdown(fd, SHUT_RDWR);
    }
    connections.clear();
    SSL_CTX_free(context);
  }

  void accept() {
    for (int peer; (peer = ::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC)) >= 0;)
      connections.emplace_back([this, peer] { serve(peer); });
  }
  void serve(int peer_fd) {
    sigset_t of_writing;  // OpenSSL's own writes would raise it in this thread
    sigemptyset(&of_writing);
    sigaddset(&of_writing, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &of_writing, nullptr);
    const Descriptor peer(peer_fd), server(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    note({peer.get(), server.get()});
    const int yes = 1;
    ::setsockopt(server.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    const sockaddr_in address = loopback(server_port);
    SSL* const end = SSL_new(context);
    SSL_set_fd(end, server.get());
    if (::connect(server.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
        SSL_connect(end) == 1)
      pass_on(end, peer.get());
    SSL_free(end);
    forget({peer.get(), server.get()});
  }
  void note(std::initializer_list<int> fds) {
    const std::lock_guard lock(mutex);
    open.insert(open.end(), fds);
  }
  void forget(std::initializer_list<int> fds) {
    const std::lock_guard lock(mutex);
    std::erase_if(open, [&](int fd) { return std::ranges::find(fds, fd) != fds.end(); });
  }

  const std::uint16_t server_port;
  SSL_CTX* const context = SSL_CTX_new(TLS_client_method());
  const Descriptor listener{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  std::uint16_t port = 0;
  std::mutex mutex;
  std::vector<int> open;
  std::vector<std::jthread> connections;
  std::thread accepting;
};

TlsTunnel::TlsTunnel(std::uint16_t server) : parts_(std::make_unique<Parts>(server)) {}
TlsTunnel::~TlsTunnel() = default;
std::uint16_t TlsTunnel::port() const { return parts_->port; }

}  // namespace takt::test
