#include "transport/udp/udp_acceptor.h"

#include <algorithm>
#include <cerrno>
#include <vector>

#include "os/net/stream_sockets.h"

namespace takt::transport {

using Kind = Datagram::Kind;

namespace {

constexpr int greetings_at_once = 64;

}  // namespace

void apply_to_datagrams(const StreamOptions& options, os::Socket& socket) {
  if (options.send_buffer_bytes > 0) socket.set_send_buffer_bytes(options.send_buffer_bytes);
  if (options.receive_buffer_bytes > 0) socket.set_receive_buffer_bytes(options.receive_buffer_bytes);
  if (options.busy_poll.count() > 0) socket.set_busy_poll(options.busy_poll);
  if (options.dscp >= 0) socket.set_traffic_class(options.dscp);
  if (options.priority >= 0) socket.set_priority(options.priority);
  if (options.dont_route) socket.set_dont_route(true);
}

[[gnu::cold]] StreamEnds datagram_ends(const os::Address& local, const os::Address& peer) {
  return {"udp", local.text(), peer.text()};
}

AcceptResult UdpAcceptor::accept() {
  std::array<std::uint8_t, Datagram::head_bytes + Datagram::greeting_bytes> octets;
  for (int greetings = 0; greetings < greetings_at_once || socket_.blocking(); ++greetings) {
    if (closed_.load(std::memory_order_acquire)) return std::unexpected(AcceptError::closed);
    os::Correspondents who;
    const os::IoResult received = os::receive_from(socket_, octets, who);
    if (closed_.load(std::memory_order_acquire)) return std::unexpected(AcceptError::closed);
    if (received.status == os::IoStatus::would_block) break;
    if (received.status != os::IoStatus::ok) continue;  // a network error for one of our answers, or nothing
    const ByteView arrived = ByteView(octets).first(std::min(received.bytes, octets.size()));
    const auto datagram = Datagram::decode(arrived);
    if (!datagram || who.peer.port() == 0) continue;
    const ByteView body = arrived.subspan(Datagram::head_bytes);
    if (datagram->kind == Kind::data) answer(Kind::gone, datagram->token, {}, who);
    if (body.size() != Datagram::greeting_bytes) continue;
    if (datagram->kind == Kind::hello)
      answer(Kind::cookie, datagram->token, cookies_.make(who.peer, datagram->token, os::Clock::now()), who);
    if (datagram->kind != Kind::open) continue;
    auto opened = open(*datagram, body.first(Datagram::cookie_bytes), who);
    if (opened || opened.error() != AcceptError::would_block) return opened;
  }
  return std::unexpected(AcceptError::would_block);
}

// `would_block`: not a valid greeting; there may be others.
AcceptResult UdpAcceptor::open(const Datagram& greeting, ByteView cookie, const os::Correspondents& who) {
  if (!cookies_.are_good(cookie, who.peer, greeting.token, os::Clock::now()) ||
      std::ranges::find(taken_, greeting.token) != taken_.end())
    return std::unexpected(AcceptError::would_block);
  auto socket = os::open_beside(who.local, who.peer);
  if (!socket)
    return std::unexpected(os::is_exhaustion(socket.error()) ? AcceptError::exhausted
                                                             : AcceptError::would_block);
  apply_to_datagrams(streams_, *socket);
  taken_[takes_++ % taken_.size()] = greeting.token;
  const UdpEnd end{false, greeting.token, unguessable_number()};
  auto stream = std::make_unique<UdpStream>(std::move(*socket), end, options_,
                                            datagram_ends(who.local, who.peer), who.peer.host_text());
  stream->begin_marked(streams_);
  stream->welcome();
  return stream;
}

void UdpAcceptor::answer(Kind kind, std::uint64_t token, ByteView body, const os::Correspondents& who) {
  const auto head = Datagram{kind, 0, token, 0, 0}.encode();
  std::vector<std::uint8_t> datagram(head.begin(), head.end());
  datagram.insert(datagram.end(), body.begin(), body.end());
  os::send_to(socket_, datagram, who);
}

// Wakes a blocked accept().
void UdpAcceptor::close() {
  closed_.store(true, std::memory_order_release);
  os::refuse_datagrams(socket_, local_);
}

}  // namespace takt::transport
