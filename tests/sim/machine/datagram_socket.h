// A datagram socket.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "machine/socket.h"

namespace takt::sim {

class Datagrams;

struct Datagram {
  std::uint16_t from = 0, to = 0;
  std::vector<std::uint8_t> octets;
};

class DatagramSocket final : public Socket {
 public:
  explicit DatagramSocket(Datagrams& network) : network_(network) {}

  std::uint32_t ready(Time now) override;
  std::uint64_t edges() const override { return arrivals_; }
  std::string describe() const override;
  int take_error(Time now) override;
  bool connected() const override { return peer_port != 0 && peer_port != port && !receiving_shut; }

  // False if its buffer is full. One datagram always fits.
  bool take(Datagram datagram);
  void fail(int error) { error_ = error; }

  bool shares_port = false;  // SO_REUSEPORT
  std::size_t buffer_bytes = 0;
  std::deque<Datagram> arrived;

 private:
  Datagrams& network_;
  int error_ = 0;
  std::uint64_t arrivals_ = 0;
};

}  // namespace takt::sim
