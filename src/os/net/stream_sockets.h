// Stream sockets: open, connect, bind, listen, accept.
#pragma once

#include <expected>

#include "os/net/address.h"
#include "os/net/socket.h"

namespace takt::os {

// All functions return errno values as errors, close descriptors on exec, and do not allocate.

// A non-blocking TCP socket, neither bound nor connected.
std::expected<Socket, int> open_stream_socket(Address::Family family);
// Whether this process may set that priority on sockets.
bool may_set_priority(int priority);

// Starts connecting a non-blocking socket. Returns 0 if it is connected, EINPROGRESS if it will become
// writable when done (then call take_error()), or an error.
int start_connect(Socket& socket, const Address& to);

int bind(Socket& socket, const Address& to);
int listen(Socket& socket, int backlog);
// Whether connections can wait in that socket. False for other descriptors.
bool listens(int fd);

// A non-blocking duplicate. The descriptor itself is closed on exec from now on, too.
std::expected<Socket, int> duplicate(int fd);

struct Accepted {
  Socket socket;  // blocking
  Address peer;
};
// The next pending connection. EAGAIN: none, on a non-blocking listener. Retries after signals, and skips
// connections that failed while pending.
std::expected<Accepted, int> accept(Socket& listener);

// Whether the error means that the process or the system has run out of descriptors, buffers or memory.
bool is_exhaustion(int error);

// Reads octets without removing them, and without waiting.
IoResult peek(int fd, MutableBytes into);

}  // namespace takt::os
