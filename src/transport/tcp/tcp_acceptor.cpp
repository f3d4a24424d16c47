#include "transport/tcp/tcp_acceptor.h"

#include <chrono>

#include "os/poll/wait.h"
#include "transport/socket_stream.h"

namespace takt::transport {

namespace {

constexpr std::chrono::milliseconds look_for_close{100};

}  // namespace

void TcpAcceptor::set_blocking(bool blocking) {
  if (owner_ == Owner::process)
    listener_.set_blocking(blocking);
  else
    waits_ = blocking;
}

// Returns when a client waits or the acceptor is closed.
[[gnu::cold]] void TcpAcceptor::wait_for_client() const {
  while (!accepting_.is_closed() &&
         os::wait_ready(listener_.fd(), os::Interest::read, os::Clock::now() + look_for_close) ==
             os::WaitResult::timed_out) {
  }
}

AcceptResult TcpAcceptor::accept() {
  if (waits_.load(std::memory_order_relaxed)) [[unlikely]]
    wait_for_client();
  auto accepted = accepting_.accept();
  if (!accepted) return std::unexpected(accepted.error());
  const auto local = os::Address::local_of(accepted->socket.fd());
  apply(options_, accepted->socket);
  return tcp_stream(std::move(accepted->socket), local.value_or(local_), accepted->peer, options_);
}

namespace {

bool within_this_host(os::Address local, const os::Address& peer) {
  local.set_port(peer.port());
  return peer.is_loopback() || local == peer;
}

}  // namespace

std::unique_ptr<Stream> tcp_stream(os::Socket socket, const os::Address& local, const os::Address& peer,
                                   const StreamOptions& options) {
  // There is no network to protect, and a pacing algorithm (BBR) doubles the time of a long message.
  if (within_this_host(local, peer)) socket.set_congestion_control("reno");
  auto stream = std::make_unique<SocketStream>(std::move(socket),
                                               SocketStream::Facts{.ends = {"tcp", local.text(), peer.text()},
                                                                   .peer_host = peer.host_text(),
                                                                   .replaceable_by_road = true});
  stream->begin_marked(options);
  return stream;
}

namespace {

void apply_quality(const StreamOptions& options, os::Socket& socket) {
  if (options.dscp >= 0) socket.set_traffic_class(options.dscp);
  if (options.priority >= 0) socket.set_priority(options.priority);
  if (options.dont_route) socket.set_dont_route(true);
}

}  // namespace

void apply(const StreamOptions& options, os::Socket& socket) {
  if (options.no_delay) socket.set_no_delay(true);
  if (options.keep_alive)
    socket.set_keep_alive(options.keep_alive_idle, options.keep_alive_interval, options.keep_alive_probes);
  if (options.busy_poll.count() > 0) socket.set_busy_poll(options.busy_poll);
  apply_quality(options, socket);
}

void apply_before_handshake(const StreamOptions& options, os::Socket& socket) {
  if (options.send_buffer_bytes > 0) socket.set_send_buffer_bytes(options.send_buffer_bytes);
  if (options.receive_buffer_bytes > 0) socket.set_receive_buffer_bytes(options.receive_buffer_bytes);
  apply_quality(options, socket);
}

}  // namespace takt::transport
