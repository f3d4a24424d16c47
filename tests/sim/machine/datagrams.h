// Datagrams between the hosts.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "machine/datagram_socket.h"
#include "machine/faults.h"
#include "machine/random.h"
#include "machine/scheduler.h"

namespace takt::sim {

// UDP over IPv4 as seen through Linux sockets, on a network that loses, duplicates and reorders datagrams.
// Functions that return a long return a count, or a negative errno value.
class Datagrams {
 public:
  Datagrams(Scheduler& scheduler, const Faults& faults, std::uint64_t seed)
      : scheduler_(scheduler), faults_(faults), random_(seed + 1, Random::Stream::network) {}

  std::shared_ptr<DatagramSocket> make_socket();
  long bind(DatagramSocket& socket, std::uint16_t port);
  // From now on the socket receives only from the port, and is told if there is no receiver.
  long connect(DatagramSocket& socket, std::uint16_t port);
  long send(DatagramSocket& socket, std::span<const std::uint8_t> octets, std::uint16_t to);
  // Stores the next datagram in `datagram`; with `peek`, it also stays in the socket.
  long receive(DatagramSocket& socket, bool wait, bool peek, Datagram& datagram);
  long shut_down(DatagramSocket& socket, bool receiving, bool sending);
  void close(DatagramSocket& socket);

  // Delivers what has reached its port.
  void deliver(Time now);
  // Loses everything in transit, and everything sent for a while.
  void cut_all();
  // Whether any datagram was lost, duplicated or late.
  bool disturbed() const { return disturbed_; }

 private:
  using Ports = std::pair<std::uint16_t, std::uint16_t>;
  struct Way {
    Time last{0};                       // arrival time of the last datagram sent
    std::uint64_t passes = UINT64_MAX;  // number of datagrams that pass until none do
    bool refuses = false;               // senders are told of that
  };
  struct UnderWay {
    Datagram datagram;
    bool refused = false;  // `from` is told that there is no receiver at `to`
  };

  Way& way(Ports ports);
  void dispatch(Datagram datagram);
  void refuse(std::uint16_t from, std::uint16_t to, Time now);
  DatagramSocket* receiver(std::uint16_t from, std::uint16_t to);
  void arrive(UnderWay& one, Time now);
  bool interrupted() { return random_.one_in(faults_.signal_one_in); }

  Scheduler& scheduler_;
  const Faults& faults_;
  Random random_;
  std::vector<std::weak_ptr<DatagramSocket>> sockets_;
  std::map<Ports, Way> ways_;
  std::multimap<Time, UnderWay> under_way_;
  Time silent_until_{0};
  bool disturbed_ = false;
  std::uint16_t next_port_ = 50000;
};

}  // namespace takt::sim
