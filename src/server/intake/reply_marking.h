// Marks the replies of a connection like its requests.
#pragma once

#include <cstdint>
#include <optional>

#include <takt/transport/stream.h>

#include "giop/contexts/quality.h"
#include "reference/policies/connection_options.h"

namespace takt::server {

// One thread at a time. Clients that use this ORB have a connection for each marking, so a connection is
// marked by its first request and then stays as it is.
class ReplyMarking {
 public:
  // Applies the marking that the options give to the request's class, or else to its priority (-1: none).
  // Does nothing if the last request had the same marking.
  void follow(transport::Stream& stream, const reference::ConnectionOptions& options, std::int16_t priority,
              const std::optional<giop::WireQuality>& quality);
  // Whether the last request was marked by its class or priority.
  bool any() const { return any_; }

 private:
  transport::Marking present_;  // empty: the connection's initial marking
  bool any_ = false;            // whether present_ is not empty; read for each request with extra work
};

}  // namespace takt::server
