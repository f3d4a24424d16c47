// How the replies of a connection are marked: as its requests are.
#pragma once

#include <cstdint>
#include <optional>

#include <takt/transport/stream.h>

#include "giop/contexts/quality.h"
#include "reference/policies/connection_options.h"

namespace takt::server {

// One thread at a time. Clients of this ORB's kind have a connection for each marking, so a connection is
// marked by its first request and then left alone.
class ReplyMarking {
 public:
  // Marks the stream as the options say for requests of that class, or else of that priority (-1: none), if
  // the last request was marked in another way.
  void follow(transport::Stream& stream, const reference::ConnectionOptions& options, std::int16_t priority,
              const std::optional<giop::WireQuality>& quality);
  // The last request was marked by its class or priority.
  bool any() const { return any_; }

 private:
  transport::Marking present_;  // nothing: as the connection began
  bool any_ = false;            // it says something: each request on an unusual connection looks
};

}  // namespace takt::server
