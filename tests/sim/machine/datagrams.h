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

// As UDP over IPv4 is seen through Linux's sockets, on a network that loses datagrams, doubles them and lets
// them overtake each other. What returns a long returns a count, or an errno value below 0.
class Datagrams {
 public:
  Datagrams(Scheduler& scheduler, const Faults& faults, std::uint64_t seed)
      : scheduler_(scheduler), faults_(faults), random_(seed + 1, Random::Stream::network) {}

  std::shared_ptr<DatagramSocket> make_socket();
  long bind(DatagramSocket& socket, std::uint16_t port);
  // From then on it receives from that port and from no other, and learns that nobody is there.
  long connect(DatagramSocket& socket, std::uint16_t port);
  long send(DatagramSocket& socket, std::span<const std::uint8_t> octets, std::uint16_t to);
  // Leaves the next one in `datagram`, and in the socket, too, if it is a `peek`.
  long receive(DatagramSocket& socket, bool wait, bool peek, Datagram& datagram);
  long shut_down(DatagramSocket& socket, bool receiving, bool sending);
  void close(DatagramSocket& socket);

  // What has reached its port by then.
  void deliver(Time now);
  // What is under way is lost, and for a while all that follows.
  void cut_all();
  // Whether any was lost, came twice or late.
  bool disturbed() const { return disturbed_; }

 private:
  using Ports = std::pair<std::uint16_t, std::uint16_t>;
  struct Way {
    Time last{0};                       // when what was sent last arrives
    std::uint64_t passes = UINT64_MAX;  // datagrams, and then none any more,
    bool refuses = false;               // of which their senders learn
  };
  struct UnderWay {
    Datagram datagram;
    bool refused = false;  // `from` learns that nobody is at `to`
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
