// Accepting connections from clients.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <takt/base/expected.h>
#include <takt/transport/endpoint.h>
#include <takt/transport/stream.h>
#include <takt/transport/stream_options.h>

namespace takt::transport {

// Classified by what the caller should do next.
enum class AcceptError : std::uint8_t {
  would_block,  // no client is waiting: wait until the handle is readable
  // Out of descriptors or memory; one client was rejected if that was possible. A few further calls reject
  // further clients. After them, pause some 100 ms or close idle connections: retrying on would spin.
  exhausted,
  closed,  // close() was called: stop accepting
  failed,  // the listener is unusable from now on
};

using AcceptResult = Expected<std::unique_ptr<Stream>, AcceptError>;

class Acceptor {
 public:
  virtual ~Acceptor() = default;
  // Returns the next connection: a blocking stream with the options applied. One thread at a time.
  virtual AcceptResult accept() = 0;
  // Whether accept() blocks until a client connects. An acceptor starts non-blocking.
  virtual void set_blocking(bool blocking) = 0;
  // Descriptor that a reactor polls for reading. The acceptor owns it until it is destroyed.
  virtual int native_handle() const = 0;
  // The address it is bound to: a numeric host, possibly a wildcard (see published_endpoints.h), and the
  // actual port.
  virtual Endpoint local_endpoint() const = 0;
  // Stops new connection attempts; accept() still returns those that the system has already begun, or
  // `closed` where they wait for another process. Clients that try before close() wait, or are refused. Does
  // nothing where the transport has no such feature.
  virtual void stop_new_attempts() {}
  // Stops accepting and refuses the waiting clients. From now on accept() returns `closed`, also in a thread
  // that is blocked in it. Any thread.
  virtual void close() = 0;
};

struct ListenError {
  int error;         // errno
  std::string text;  // the address, what happened, and what to do next
};

struct ListenOptions {
  // Connections that the system queues for accept(). The system caps it (on Linux at net.core.somaxconn, 4096
  // by default).
  int backlog = 1024;
  StreamOptions stream;  // for every accepted connection
  // File mode of a listener that is a file. Users with write access to the file may connect.
  std::uint32_t file_mode = 0600;
};

}  // namespace takt::transport
