#include "os/shared_memory/doorbell.h"

#include <sys/socket.h>

#include <array>

namespace takt::os {
namespace {

constexpr std::uint8_t bell_octet = 'b', plug_octet = 'p';

// A UNIX-domain socket is writable while at most a quarter of its buffer is used. The system doubles the
// requested size. A plug is more than that quarter, and leaves room for bells. It is less than half of the
// buffer, because the system would split a longer one, and a reader in between would mistake the next bell
// for its end.
constexpr int buffer_bytes = 8192;
constexpr std::size_t plug_bytes = 6000;

int send_all(Socket& socket, ByteView octets) {
  ssize_t sent;
  do sent = ::send(socket.fd(), octets.data(), octets.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  while (sent < 0 && errno == EINTR);
  return sent < 0 ? errno : 0;
}

ssize_t receive(Socket& socket, MutableBytes into, int flags) {
  ssize_t count;
  do count = ::recv(socket.fd(), into.data(), into.size(), flags | MSG_DONTWAIT);
  while (count < 0 && errno == EINTR);
  return count;
}

}  // namespace

Doorbell::Doorbell(Socket& socket) : socket_(socket) { socket_.set_send_buffer_bytes(buffer_bytes); }

int Doorbell::ring() { return send_all(socket_, {&bell_octet, 1}); }

int Doorbell::plug() {
  std::array<std::uint8_t, plug_bytes> octets;
  octets.fill(plug_octet);
  return send_all(socket_, octets);
}

int Doorbell::test_peer() { return send_all(socket_, {}); }

Doorbell::Signal Doorbell::next(int flags) {
  std::uint8_t octet = 0;
  const ssize_t count = receive(socket_, {&octet, 1}, flags);
  if (count == 0) return Signal::end;
  if (count < 0) return errno == EAGAIN ? Signal::none : Signal::end;
  return octet == bell_octet ? Signal::bell : octet == plug_octet ? Signal::plug : Signal::nonsense;
}

Doorbell::Signal Doorbell::look() { return next(MSG_PEEK); }

Doorbell::Signal Doorbell::take() {
  const Signal signal = next(0);
  if (signal != Signal::plug) return signal;
  std::array<std::uint8_t, plug_bytes - 1> rest;
  receive(socket_, rest, 0);
  return signal;
}

}  // namespace takt::os
