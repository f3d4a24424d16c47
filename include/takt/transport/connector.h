// Opening connections to servers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <takt/base/expected.h>
#include <takt/os/clock.h>
#include <takt/transport/endpoint.h>
#include <takt/transport/stream.h>
#include <takt/transport/stream_options.h>

namespace takt::transport {

struct ConnectError {
  enum class Phase : std::uint8_t { resolve, connect, tls };
  Phase phase;
  // An errno value: ETIMEDOUT when the deadline has passed, EACCES when one end does not trust the other.
  // When several addresses were tried, the error of the last one.
  int error;
  std::string text;  // the server, the addresses tried, what happened, and what to do next
};

using ConnectResult = Expected<std::unique_ptr<Stream>, ConnectError>;

// Any number of threads may connect at the same time.
class Connector {
 public:
  virtual ~Connector() = default;
  // Resolves the host, if there is one, then tries its addresses in order, each for its share of the
  // remaining time, until one answers. Blocks until `deadline` at most, name resolution included. The stream
  // is blocking; the options that its transport supports are set.
  virtual ConnectResult connect(const Endpoint& to, os::TimePoint deadline, const StreamOptions& options) = 0;
};

}  // namespace takt::transport
