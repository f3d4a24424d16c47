// Signals over a socket between two processes that exchange data through shared memory.
#pragma once

#include <cstdint>

#include "os/net/socket.h"

namespace takt::os {

// Makes a descriptor readable and writable, for pollers, although the data does not pass through it. A bell
// is one octet: the other end is readable until the bell is taken. A plug is enough octets that this end is
// not writable until the other end has taken them.
//
// Nothing here waits. One thread calls ring(), plug() and test_peer(); another one calls look() and take().
class Doorbell {
 public:
  enum class Signal : std::uint8_t { none, bell, plug, nonsense, end };

  // The socket must outlive it. Sets the socket's buffer size.
  explicit Doorbell(Socket& socket);

  // Return 0 or an errno value; EPIPE: the peer is gone.
  int ring();
  int plug();
  // Returns 0 or EPIPE.
  int test_peer();
  // The next signal, which is not removed.
  Signal look();
  // Removes the next signal. Nonsense: the peer violates the protocol.
  Signal take();

 private:
  Signal next(int flags);

  Socket& socket_;
};

}  // namespace takt::os
