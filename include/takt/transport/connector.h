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
  // errno; ETIMEDOUT when the deadline has passed, EACCES where one end does not trust the other. Of several
  // addresses: the last that was tried
  int error;
  std::string text;  // where to, which addresses were tried, what happened, what to do next
};

using ConnectResult = Expected<std::unique_ptr<Stream>, ConnectError>;

// Any number of threads may connect at a time.
class Connector {
 public:
  virtual ~Connector() = default;
  // Resolves the host, if there is one, then tries its addresses in order, each for its share of the time
  // left, until one answers. Blocks until `deadline` at most, name resolution included. The stream is
  // blocking, and has the options set that its transport knows.
  virtual ConnectResult connect(const Endpoint& to, os::TimePoint deadline, const StreamOptions& options) = 0;
};

}  // namespace takt::transport
