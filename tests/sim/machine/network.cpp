#include "machine/network.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "machine/finding.h"

namespace takt::sim {

using namespace std::chrono_literals;
using State = SocketFile::State;

namespace {
constexpr Time system_gives_up_connecting = 127s;
}

long Network::bind(SocketFile& socket, std::uint16_t port) {
  if (socket.state != State::fresh) return -EINVAL;
  socket.port = port ? port : next_port_++;
  socket.state = State::bound;
  return 0;
}

long Network::listen(const std::shared_ptr<SocketFile>& socket, int backlog) {
  auto& place = listening_[socket->port];
  if (!place.expired()) return -EADDRINUSE;
  place = socket;
  socket->state = State::listening;
  socket->backlog = static_cast<std::size_t>(std::max(backlog, 1));
  return 0;
}

void Network::plan_cut(Pipe& pipe) {
  if (!random_.one_in(faults_.cut_one_in)) return;
  pipe.cut_after(random_.below(faults_.cut_within_bytes),
                 random_.one_of({Pipe::Cut::reset, Pipe::Cut::lost}));
}

std::shared_ptr<Connection> Network::make_connection(std::uint16_t from, std::uint16_t to) {
  auto made = std::make_shared<Connection>();
  made->number = next_number_++;
  made->ports[0] = from;
  made->ports[1] = to;
  made->shortest_latency = faults_.shortest_latency;
  made->longest_latency = random_.between(faults_.shortest_latency, faults_.longest_latency);
  for (Connection::End& end : made->ends) {
    end.in.limit(random_.between(faults_.buffer_bytes / 2 + 1, faults_.buffer_bytes + 1));
    plan_cut(end.in);
  }
  connections_.push_back(made);
  return made;
}

long Network::connect(SocketFile& socket, std::uint16_t port) {
  scheduler_.step("connects", port);
  if (socket.state != State::fresh && socket.state != State::bound) return -EISCONN;
  if (socket.port == 0) socket.port = next_port_++;
  socket.peer_port = port;
  socket.state = State::connecting;
  const Time now = scheduler_.now();
  const auto found = listening_.find(port);
  const auto listener = found == listening_.end() ? nullptr : found->second.lock();
  if (random_.one_in(faults_.unanswered_one_in)) {
    socket.answered_at = now + system_gives_up_connecting;
    socket.answer = ETIMEDOUT;
  } else if (!listener || listener->receiving_shut || listener->arrivals.size() >= listener->backlog ||
             random_.one_in(faults_.refused_one_in)) {
    socket.answered_at = now + random_.between(faults_.shortest_latency, faults_.longest_latency);
    socket.answer = ECONNREFUSED;
  } else {
    socket.connection = make_connection(socket.port, port);
    const Time arrives = now + latency(*socket.connection);
    socket.answered_at = arrives + latency(*socket.connection);
    listener->arrivals.push_back({arrives, socket.connection});
    scheduler_.expect(arrives);
  }
  scheduler_.expect(socket.answered_at);
  if (!socket.blocking) return -EINPROGRESS;
  scheduler_.wait("a connection", [&] { return socket.answered_at <= scheduler_.now(); });
  return -socket.take_error(scheduler_.now());
}

long Network::accept(SocketFile& listener, std::shared_ptr<SocketFile>& accepted) {
  scheduler_.step("accepts", listener.port);
  if (listener.state != State::listening) return -EINVAL;
  if (interrupted()) return -EINTR;
  const auto ready = [&] { return listener.ready(scheduler_.now()) != 0; };
  if (!ready() && !listener.blocking) return -EAGAIN;
  if (!ready()) scheduler_.wait("a connection to accept", ready);
  if (listener.receiving_shut) return -EINVAL;
  const auto first = std::ranges::min_element(listener.arrivals, {}, &SocketFile::Arrival::at);
  accepted = std::make_shared<SocketFile>();
  accepted->state = State::connected;
  accepted->connection = first->connection;
  accepted->end = 1;
  accepted->port = listener.port;
  accepted->peer_port = first->connection->ports[0];
  listener.arrivals.erase(first);
  return 0;
}

void Network::put_back(SocketFile& listener, const SocketFile& accepted) {
  listener.arrivals.push_back({scheduler_.now(), accepted.connection});
}

std::size_t Network::some_of(std::size_t count) {
  if (!faults_.partial_transfers || random_.one_in(2)) return count;
  return random_.between(std::size_t{1}, count);
}

long Network::receive(SocketFile& socket, std::span<std::uint8_t> into) {
  scheduler_.step("receives", socket.connection ? socket.connection->number : 0);
  if (interrupted()) return -EINTR;
  socket.settle(scheduler_.now());
  if (socket.state != State::connected) return -ENOTCONN;
  const auto ready = [&] { return (socket.ready(scheduler_.now()) & (EPOLLIN | EPOLLHUP)) != 0; };
  if (!ready() && !socket.blocking) return -EAGAIN;
  if (!ready() && !scheduler_.wait("octets", ready, deadline(socket.receive_timeout))) return -EAGAIN;
  const Time now = scheduler_.now();
  if (const std::size_t there = socket.incoming().readable(now))
    return static_cast<long>(socket.incoming().read(into.first(some_of(std::min(into.size(), there))), now));
  return -socket.take_error(now);  // 0: end of stream
}

// Sends what fits, without waiting.
long Network::push(SocketFile& socket, std::span<const std::uint8_t> octets) {
  const Time now = scheduler_.now();
  Connection& connection = *socket.connection;
  const std::size_t count = std::min(octets.size(), socket.outgoing().room());
  const auto arrives = socket.outgoing().send(octets.first(count), now, latency(connection));
  if (!arrives) {
    connection.reset(now + latency(connection), now + latency(connection));
    for (const auto& end : connection.ends) scheduler_.expect(*end.reset_at);
  } else if (*arrives != never) {
    scheduler_.expect(*arrives);
    if (!socket.other_end().open)
      scheduler_.expect(connection.answer_with_reset(socket.end, now, *arrives + latency(connection)));
  }
  return static_cast<long>(count);
}

long Network::send(SocketFile& socket, std::span<const std::uint8_t> octets) {
  scheduler_.step("sends", octets.size());
  if (interrupted()) return -EINTR;
  const Time until = deadline(socket.send_timeout);
  const bool all = !faults_.partial_transfers || random_.one_in(2);
  std::span<const std::uint8_t> left = octets.first(all ? octets.size() : some_of(octets.size()));
  std::size_t sent = 0;
  for (;;) {
    socket.settle(scheduler_.now());
    if (sent == 0 && socket.error) return -socket.take_error(scheduler_.now());
    if (socket.state != State::connected) return -ENOTCONN;
    if (socket.sending_shut || socket.reset_seen) return sent ? static_cast<long>(sent) : -EPIPE;
    if (socket.outgoing().room() > 0) {
      const long pushed = push(socket, left);
      if (faults_.defect == Defect::octets_twice && random_.one_in(16)) push(socket, left);
      sent += static_cast<std::size_t>(pushed);
      left = left.subspan(static_cast<std::size_t>(pushed));
    }
    if (left.empty()) return static_cast<long>(sent);
    const auto ready = [&] { return (socket.ready(scheduler_.now()) & EPOLLOUT) != 0; };
    if (!socket.blocking || !scheduler_.wait("room to send", ready, until))
      return sent ? static_cast<long>(sent) : -EAGAIN;
  }
}

long Network::shut_down(SocketFile& socket, bool receiving, bool sending) {
  scheduler_.step("shuts down", socket.port);
  const Time now = scheduler_.now();
  socket.settle(now);
  if (socket.state == State::listening) {
    socket.receiving_shut |= receiving;
    if (receiving) turn_away(socket);
    return 0;
  }
  if (socket.state != State::connected || socket.reset_seen) return -ENOTCONN;
  socket.receiving_shut |= receiving;
  if (sending && !std::exchange(socket.sending_shut, true))
    if (const Time arrives = socket.outgoing().end(now, latency(*socket.connection)); arrives != never)
      scheduler_.expect(arrives);
  return 0;
}

void Network::turn_away(SocketFile& listener) {
  turned_away_ += listener.arrivals.size();
  for (const auto& arrival : listener.arrivals)
    scheduler_.expect(scheduler_.now() + arrival.connection->longest_latency);
  listener.turn_away(scheduler_.now());
}

void Network::close(SocketFile& socket) {
  const Time now = scheduler_.now();
  if (socket.state == State::listening) turn_away(socket);
  socket.settle(now);
  if (socket.state == State::connected && !socket.reset_seen && !socket.sending_shut)
    shut_down(socket, false, true);
  socket.closed(scheduler_.now());
  if (socket.connection && socket.other_end().reset_at) scheduler_.expect(*socket.other_end().reset_at);
}

void Network::cut_all() {
  const Time now = scheduler_.now();
  for (const auto& one : connections_)
    if (const auto connection = one.lock()) {
      connection->reset(now + latency(*connection), now + latency(*connection));
      for (const auto& end : connection->ends) scheduler_.expect(*end.reset_at);
    }
}

}  // namespace takt::sim
