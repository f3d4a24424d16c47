// What sockets of both kinds have.
#pragma once

#include <cstdint>

#include "machine/file.h"

namespace takt::sim {

class Socket : public File {
 public:
  // The error that the next call on it gets, once.
  virtual int take_error(Time now) = 0;
  // To one peer, whom it has not lost.
  virtual bool connected() const = 0;

  std::uint16_t port = 0, peer_port = 0;  // 0: none yet
  bool receiving_shut = false, sending_shut = false;
  Time receive_timeout{0}, send_timeout{0};  // 0: none
};

}  // namespace takt::sim
