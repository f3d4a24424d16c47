#include "machine/datagrams.h"

#include <algorithm>
#include <cerrno>

namespace takt::sim {

using namespace std::chrono_literals;

std::shared_ptr<DatagramSocket> Datagrams::make_socket() {
  auto made = std::make_shared<DatagramSocket>(*this);
  made->buffer_bytes = faults_.buffer_bytes;
  std::erase_if(sockets_, [](const auto& one) { return one.expired(); });
  sockets_.push_back(made);
  return made;
}

long Datagrams::bind(DatagramSocket& socket, std::uint16_t port) {
  deliver(scheduler_.now());
  for (const auto& one : sockets_)
    if (const auto other = one.lock(); port != 0 && other && other->port == port)
      if (!other->shares_port || !socket.shares_port) return -EADDRINUSE;
  socket.port = port ? port : next_port_++;
  return 0;
}

long Datagrams::connect(DatagramSocket& socket, std::uint16_t port) {
  scheduler_.step("connects datagrams", port);
  deliver(scheduler_.now());
  if (socket.port == 0) socket.port = next_port_++;
  socket.peer_port = port;
  return 0;
}

Datagrams::Way& Datagrams::way(Ports ports) {
  const auto [found, fresh] = ways_.try_emplace(ports);
  Way& way = found->second;
  if (!fresh) return way;
  if (random_.one_in(faults_.cut_one_in)) way.passes = random_.below(faults_.cut_within_datagrams);
  if (random_.one_in(faults_.unanswered_one_in)) way.passes = 0;
  if (random_.one_in(faults_.refused_one_in)) {
    way.passes = random_.below(2);
    way.refuses = true;
  }
  return way;
}

long Datagrams::send(DatagramSocket& socket, std::span<const std::uint8_t> octets, std::uint16_t to) {
  scheduler_.step("sends a datagram", octets.size());
  if (interrupted()) return -EINTR;
  if (const int error = socket.take_error(scheduler_.now())) return -error;
  if (socket.sending_shut) return -EPIPE;
  if (to == 0) return -EDESTADDRREQ;
  if (socket.port == 0) socket.port = next_port_++;
  if (random_.one_in(faults_.datagram_lost_one_in)) {
    disturbed_ = true;
    return random_.one_of<long>(
        {-ENOBUFS, -EAGAIN, static_cast<long>(octets.size()), static_cast<long>(octets.size())});
  }
  const int copies = random_.one_in(faults_.datagram_doubled_one_in) ? 2 : 1;
  for (int i = 0; i < copies; ++i) dispatch({socket.port, to, {octets.begin(), octets.end()}});
  return static_cast<long>(octets.size());
}

void Datagrams::dispatch(Datagram datagram) {
  const Time now = scheduler_.now();
  Way& way = this->way({datagram.from, datagram.to});
  if (now < silent_until_ || way.passes == 0) {
    disturbed_ = true;
    if (way.refuses) refuse(datagram.from, datagram.to, now);
    return;
  }
  --way.passes;
  Time arrives = std::max(way.last, now + random_.between(faults_.shortest_latency, faults_.longest_latency));
  if (random_.one_in(faults_.datagram_overtaken_one_in)) {
    disturbed_ = true;
    arrives += random_.between(Time(0), 10 * faults_.longest_latency);
  } else {
    way.last = arrives;
  }
  under_way_.emplace(arrives, UnderWay{std::move(datagram)});
  scheduler_.expect(arrives);
}

// The notice takes the path of datagrams to the sender.
void Datagrams::refuse(std::uint16_t from, std::uint16_t to, Time now) {
  Way& back = way({to, from});
  back.last = std::max(back.last, now + random_.between(faults_.shortest_latency, faults_.longest_latency));
  under_way_.emplace(back.last, UnderWay{{from, to, {}}, true});
  scheduler_.expect(back.last);
}

// A socket connected to the sender takes precedence over unconnected ones, among which the system chooses.
DatagramSocket* Datagrams::receiver(std::uint16_t from, std::uint16_t to) {
  std::vector<DatagramSocket*> takes_all;
  for (const auto& one : sockets_) {
    const auto socket = one.lock();
    if (!socket || socket->port != to) continue;
    if (socket->peer_port == from) return socket.get();
    if (socket->peer_port == 0) takes_all.push_back(socket.get());
  }
  return takes_all.empty() ? nullptr : takes_all[random_.below(takes_all.size())];
}

void Datagrams::arrive(UnderWay& one, Time now) {
  const Datagram& datagram = one.datagram;
  if (one.refused) {
    DatagramSocket* const sender = receiver(datagram.to, datagram.from);
    if (sender && sender->peer_port != 0) sender->fail(ECONNREFUSED);
  } else if (DatagramSocket* const socket = receiver(datagram.from, datagram.to)) {
    if (!socket->take(std::move(one.datagram))) disturbed_ = true;
  } else if (!random_.one_in(faults_.datagram_lost_one_in)) {
    refuse(datagram.from, datagram.to, now);
  }
}

void Datagrams::deliver(Time now) {
  while (!under_way_.empty() && under_way_.begin()->first <= now) {
    auto first = under_way_.extract(under_way_.begin());
    arrive(first.mapped(), first.key());
  }
}

long Datagrams::receive(DatagramSocket& socket, bool wait, bool peek, Datagram& datagram) {
  scheduler_.step("receives a datagram", socket.port);
  if (interrupted()) return -EINTR;
  const Time until = socket.receive_timeout > Time(0) ? scheduler_.now() + socket.receive_timeout : never;
  const auto ready = [&] { return (socket.ready(scheduler_.now()) & EPOLLIN) != 0; };
  for (;;) {
    if (const int error = socket.take_error(scheduler_.now())) return -error;
    if (!socket.arrived.empty()) break;
    if (!wait) return -EAGAIN;
    if (socket.receiving_shut) return 0;
    if (!scheduler_.wait("a datagram", ready, until)) return -EAGAIN;
  }
  datagram = socket.arrived.front();
  if (!peek) socket.arrived.pop_front();
  return static_cast<long>(datagram.octets.size());
}

long Datagrams::shut_down(DatagramSocket& socket, bool receiving, bool sending) {
  scheduler_.step("shuts down", socket.port);
  socket.receiving_shut |= receiving;
  socket.sending_shut |= sending;
  return socket.peer_port == 0 ? -ENOTCONN : 0;
}

void Datagrams::close(DatagramSocket& socket) {
  deliver(scheduler_.now());
  std::erase_if(sockets_, [&](const auto& one) { return one.lock().get() == &socket; });
}

void Datagrams::cut_all() {
  under_way_.clear();
  disturbed_ = true;
  silent_until_ = scheduler_.now() + random_.between(Time(1ms), Time(300ms));
}

}  // namespace takt::sim
