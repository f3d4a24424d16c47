// Wrappers of streams in plug-ins.
#pragma once

#include <cstdint>
#include <memory>

#include <takt/transport/stream.h>

namespace takt::transport {

enum class OpenedBy : std::uint8_t { us, peer };

// Puts streams of its own around the streams of an ORB, to see or change what passes. Lives as long as the
// ORB. Any thread.
class StreamWrapper {
 public:
  virtual ~StreamWrapper() = default;
  // Called once for each connection, before any octet passes. The result owns `stream`, is not null, and
  // keeps the contract of streams.
  virtual std::unique_ptr<Stream> wrap(std::unique_ptr<Stream> stream, OpenedBy opened_by) const = 0;
};

}  // namespace takt::transport
