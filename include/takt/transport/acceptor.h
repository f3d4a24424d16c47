// Taking connections from clients.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <takt/base/expected.h>
#include <takt/transport/endpoint.h>
#include <takt/transport/stream.h>
#include <takt/transport/stream_options.h>

namespace takt::transport {

// By what the caller does next.
enum class AcceptError : std::uint8_t {
  would_block,  // nobody is waiting: wait until the handle is ready for reading
  exhausted,    // out of descriptors or memory; one client was turned away if that was possible. Pause (some
              // 100 ms) before the next accept(), or close idle connections: asking again at once would spin
  closed,  // close() was called: stop
  failed,  // the listener is of no further use
};

using AcceptResult = Expected<std::unique_ptr<Stream>, AcceptError>;

class Acceptor {
 public:
  virtual ~Acceptor() = default;
  // The next connection, blocking and with the options set. One thread at a time.
  virtual AcceptResult accept() = 0;
  // Whether accept() waits for a client; an acceptor starts non-blocking.
  virtual void set_blocking(bool blocking) = 0;
  // For a reactor, to wait until it is ready for reading. The acceptor keeps it, until it is destroyed.
  virtual int native_handle() const = 0;
  // What it is bound to: the host as a number, perhaps a wildcard (see published_endpoints.h), the real port.
  virtual Endpoint local_endpoint() const = 0;
  // Nobody else begins to connect; accept() gives those that have, as soon as the system has connected them.
  // Until close(), clients that try wait. Where a transport has no such thing, nothing happens.
  virtual void take_no_more() {}
  // Takes no more connections and refuses those waiting; accept() gives `closed` from now on, in a thread
  // that is blocked in it as well. From any thread.
  virtual void close() = 0;
};

struct ListenError {
  int error;         // errno
  std::string text;  // on what, what happened, what to do next
};

struct ListenOptions {
  // Connections that the system keeps waiting for accept(); it cuts this to its own limit (on Linux
  // net.core.somaxconn, 4096 by default).
  int backlog = 1024;
  StreamOptions stream;  // for every connection taken
  // Of a listener that is a file: who may write to it may connect.
  std::uint32_t file_mode = 0600;
};

}  // namespace takt::transport
