#include "transport/udp/udp_transport.h"

#include <algorithm>
#include <cerrno>
#include <vector>

#include "os/net/datagram_sockets.h"
#include "os/poll/interruption.h"
#include "os/poll/wait.h"
#include "transport/internet_endpoints.h"
#include "transport/published_endpoints.h"
#include "transport/udp/udp_acceptor.h"

namespace takt::transport {

using Kind = Datagram::Kind;
using os::IoStatus;

namespace {

// The client's part of the handshake: sends greetings until they are answered, and takes the answers.
class Handshake {
 public:
  explicit Handshake(os::Socket& socket) : socket_(socket) { greet(Kind::hello, {}); }

  // Returns the connection's token, or an errno value.
  std::expected<std::uint64_t, int> run(os::TimePoint deadline, std::chrono::nanoseconds repeat_after) {
    for (;;) {
      const os::IoResult sent = os::send_datagram(socket_, {&greeting_, 1});
      if (sent.status == IoStatus::failed && sent.error != ENOBUFS) return std::unexpected(sent.error);
      const auto now = os::Clock::now();
      if (now >= deadline || os::Interruption::is_due()) return std::unexpected(ETIMEDOUT);
      const auto left = std::min<std::chrono::nanoseconds>(os::remaining(deadline, now), repeat_after);
      if (const int error = take_answers(now + left)) return std::unexpected(error);
      if (token_) return *token_;
      if (!std::exchange(answered_, false)) repeat_after *= 2;
    }
  }
  std::uint64_t number() const { return number_; }

 private:
  void greet(Kind kind, ByteView cookie) {
    const auto head = Datagram{kind, 0, number_, 0, 0}.encode();
    octets_.assign(head.begin(), head.end());
    octets_.insert(octets_.end(), cookie.begin(), cookie.end());
    octets_.resize(Datagram::head_bytes + Datagram::greeting_bytes);
    greeting_ = octets_;
  }

  // Receives until a useful answer arrives or until `until`, however many useless datagrams arrive. Returns
  // an errno value.
  int take_answers(os::TimePoint until) {
    while (!answered_ && os::Clock::now() < until) {
      if (os::wait_ready(socket_.fd(), os::Interest::read, until) != os::WaitResult::ready) return 0;
      std::array<std::uint8_t, Datagram::head_bytes + Datagram::greeting_bytes> octets;
      const MutableBytes whole = octets;
      const os::IoResult received = os::receive_datagram(socket_, {&whole, 1}, false);
      if (received.status == IoStatus::failed) return received.error;
      if (received.status == IoStatus::ok)
        take(ByteView(octets).first(std::min(received.bytes, octets.size())));
    }
    return 0;
  }

  void take(ByteView octets) {
    const auto datagram = Datagram::decode(octets);
    if (!datagram || datagram->token != number_) return;
    const ByteView body = octets.subspan(Datagram::head_bytes);
    if (datagram->kind == Kind::cookie && body.size() == Datagram::cookie_bytes && !has_cookie_) {
      greet(Kind::open, body);
      answered_ = has_cookie_ = true;
    }
    if (datagram->kind != Kind::welcome || !has_cookie_) return;
    token_ = decode_token(body);
    answered_ = token_.has_value();
  }

  os::Socket& socket_;
  const std::uint64_t number_ = unguessable_number();
  std::vector<std::uint8_t> octets_;
  ByteView greeting_;
  bool answered_ = false, has_cookie_ = false;
  std::optional<std::uint64_t> token_;
};

std::expected<std::unique_ptr<Stream>, int> try_address(const os::Address& address, os::TimePoint deadline,
                                                        const StreamOptions& streams,
                                                        const UdpOptions& options) {
  auto socket = os::open_datagram_socket(address.family());
  if (!socket) return std::unexpected(socket.error());
  apply_to_datagrams(streams, *socket);
  if (const int error = os::connect_datagrams(*socket, address)) return std::unexpected(error);
  const auto local = os::Address::local_of(socket->fd());
  if (!local) return std::unexpected(ENOTCONN);
  Handshake handshake(*socket);
  const auto token = handshake.run(deadline, options.repeat_after);
  if (!token) return std::unexpected(token.error());
  auto stream = std::make_unique<UdpStream>(std::move(*socket), UdpEnd{true, handshake.number(), *token},
                                            options, datagram_ends(*local, address), address.host_text());
  stream->begin_marked(streams);
  return stream;
}

}  // namespace

ConnectResult UdpTransport::connect(const Endpoint& to, os::TimePoint deadline,
                                    const StreamOptions& streams) {
  const auto addresses = resolver_.resolve(to.host, to.port, deadline);
  if (!addresses) return std::unexpected(internet_endpoints::not_resolved(to, addresses.error()));
  return connect(to, *addresses, deadline, streams);
}

ConnectResult UdpTransport::connect(const Endpoint& to, std::span<const os::Address> addresses,
                                    os::TimePoint deadline, const StreamOptions& streams) const {
  return internet_endpoints::connect_in_turn(to, addresses, deadline,
                                             [&](const os::Address& address, os::TimePoint until) {
                                               return try_address(address, until, streams, options_);
                                             });
}

ListenResult UdpTransport::listen(const Endpoint& on, const ListenOptions& options) {
  using Result = std::expected<std::unique_ptr<Acceptor>, int>;
  return internet_endpoints::listen_in_turn(on, resolver_, [&](const os::Address& address) -> Result {
    auto socket = os::open_datagram_socket(address.family());
    if (!socket) return std::unexpected(socket.error());
    if (address.family() == os::Address::Family::v6) socket->set_ipv6_only(!address.is_wildcard());
    os::note_destinations(*socket);
    if (const int error = os::bind_first(*socket, address)) return std::unexpected(error);
    const auto local = os::Address::local_of(socket->fd());
    socket->set_blocking(false);
    return std::make_unique<UdpAcceptor>(std::move(*socket), local.value_or(address), on.protocol,
                                         options.stream, options_);
  });
}

EndpointResult UdpTransport::parse(std::string_view address) const {
  return internet_endpoints::parse(name(), address);
}

bool UdpTransport::is_definite(const Endpoint& endpoint) const {
  return internet_endpoints::is_definite(endpoint);
}

std::vector<Endpoint> UdpTransport::published(const Endpoint& bound) const {
  return published_endpoints(bound);
}

}  // namespace takt::transport
