#include "machine/datagram_socket.h"

#include <utility>

#include "machine/datagrams.h"

namespace takt::sim {

std::uint32_t DatagramSocket::ready(Time now) {
  network_.deliver(now);
  std::uint32_t events = EPOLLOUT;
  if (!arrived.empty() || receiving_shut) events |= EPOLLIN;
  if (receiving_shut && sending_shut) events |= EPOLLHUP;
  if (error_ != 0) events |= EPOLLIN | EPOLLERR;
  return events;
}

int DatagramSocket::take_error(Time now) {
  network_.deliver(now);
  return std::exchange(error_, 0);
}

bool DatagramSocket::take(Datagram datagram) {
  std::size_t used = 0;
  for (const Datagram& one : arrived) used += one.octets.size();
  if (used > buffer_bytes) return false;
  arrived.push_back(std::move(datagram));
  ++arrivals_;
  return true;
}

std::string DatagramSocket::describe() const {
  return "socket of datagrams " + std::to_string(port) + " -> " + std::to_string(peer_port) + ", " +
         std::to_string(arrived.size()) + " there";
}

}  // namespace takt::sim
