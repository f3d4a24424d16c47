// The base of both kinds of sockets.
#pragma once

#include <cstdint>

#include "machine/file.h"

namespace takt::sim {

class Socket : public File {
 public:
  // Returns the pending error and clears it.
  virtual int take_error(Time now) = 0;
  // Whether it is connected to a peer and has not lost it.
  virtual bool connected() const = 0;

  std::uint16_t port = 0, peer_port = 0;  // 0: not set
  bool receiving_shut = false, sending_shut = false;
  Time receive_timeout{0}, send_timeout{0};  // 0: none
};

}  // namespace takt::sim
