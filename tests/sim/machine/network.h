// Stream sockets between the hosts.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>

#include "machine/connection.h"
#include "machine/faults.h"
#include "machine/random.h"
#include "machine/scheduler.h"

namespace takt::sim {

// TCP over IPv4 as seen through Linux sockets. Functions that return a long return a count, or a negative
// errno value.
class Network {
 public:
  Network(Scheduler& scheduler, const Faults& faults, std::uint64_t seed)
      : scheduler_(scheduler), faults_(faults), random_(seed, Random::Stream::network) {}

  long bind(SocketFile& socket, std::uint16_t port);
  long listen(const std::shared_ptr<SocketFile>& socket, int backlog);
  long connect(SocketFile& socket, std::uint16_t port);
  // Stores the new socket in `accepted`.
  long accept(SocketFile& listener, std::shared_ptr<SocketFile>& accepted);
  // Makes it available to accept() again, as when no descriptor was left for it.
  void put_back(SocketFile& listener, const SocketFile& accepted);

  long receive(SocketFile& socket, std::span<std::uint8_t> into);
  long send(SocketFile& socket, std::span<const std::uint8_t> octets);
  long shut_down(SocketFile& socket, bool receiving, bool sending);
  void close(SocketFile& socket);

  // Connections that were established but never accepted.
  std::size_t turned_away() const { return turned_away_; }

  // Resets all connections, as when a router or host fails.
  void cut_all();

 private:
  Time latency(const Connection& connection) {
    return random_.between(connection.shortest_latency, connection.longest_latency);
  }
  std::shared_ptr<Connection> make_connection(std::uint16_t from, std::uint16_t to);
  void turn_away(SocketFile& listener);
  void plan_cut(Pipe& pipe);
  std::size_t some_of(std::size_t count);
  long push(SocketFile& socket, std::span<const std::uint8_t> octets);
  bool interrupted() { return random_.one_in(faults_.signal_one_in); }
  Time deadline(Time timeout) const { return timeout > Time(0) ? scheduler_.now() + timeout : never; }

  Scheduler& scheduler_;
  const Faults& faults_;
  Random random_;
  std::map<std::uint16_t, std::weak_ptr<SocketFile>> listening_;
  std::vector<std::weak_ptr<Connection>> connections_;
  std::size_t turned_away_ = 0;
  std::uint16_t next_port_ = 40000;
  std::uint64_t next_number_ = 1;
};

}  // namespace takt::sim
