// Signals over a socket between two processes that exchange their data through memory.
#pragma once

#include <cstdint>

#include "os/net/socket.h"

namespace takt::os {

// What makes a descriptor ready for reading and for writing, as pollers want it, when the data themselves do
// not pass it. A bell is an octet: the socket at the other end is ready for reading until it is taken. A plug
// is so many octets that this end is not ready for writing until the other end has taken them.
//
// Nothing here waits. ring(), plug() and test_peer() are of one thread, look() and take() of another.
class Doorbell {
 public:
  enum class Signal : std::uint8_t { none, bell, plug, nonsense, end };

  // The socket outlives it. Sets how much it buffers.
  explicit Doorbell(Socket& socket);

  // An errno value, or 0; EPIPE: the peer is gone.
  int ring();
  int plug();
  // 0, or EPIPE.
  int test_peer();
  // What comes next; it stays there.
  Signal look();
  // The same, and it is gone. Nonsense: the peer does not keep to the rules.
  Signal take();

 private:
  Signal next(int flags);

  Socket& socket_;
};

}  // namespace takt::os
