// Making stream sockets: opening, connecting, binding, listening, accepting.
#pragma once

#include <expected>

#include "os/net/address.h"
#include "os/net/socket.h"

namespace takt::os {

// All of these give errno values as errors, close descriptors on exec, and do not allocate.

// A TCP socket, non-blocking, neither bound nor connected.
std::expected<Socket, int> open_stream_socket(Address::Family family);
// Whether this process may give sockets that priority.
bool may_set_priority(int priority);

// Starts connecting a non-blocking socket: 0 when it is connected already, EINPROGRESS when it will
// be ready for writing once it is (ask take_error() then), else what went wrong.
int start_connect(Socket& socket, const Address& to);

int bind(Socket& socket, const Address& to);
int listen(Socket& socket, int backlog);

struct Accepted {
  Socket socket;  // blocking
  Address peer;
};
// The next pending connection. EAGAIN: none, on a non-blocking listener. Interruptions by signals and
// connections that died while they were waiting are passed over.
std::expected<Accepted, int> accept(Socket& listener);

// True for the errors that say that this process or the system has no descriptor, buffer or memory left.
bool is_exhaustion(int error);

// What a connected socket has, without taking it or waiting for it.
IoResult peek(int fd, MutableBytes into);

}  // namespace takt::os
