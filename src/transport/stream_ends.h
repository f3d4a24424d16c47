// The two ends of a stream as text.
#pragma once

#include <string>

namespace takt::transport {

struct StreamEnds {
  std::string protocol;  // "tcp"
  // As the transport writes addresses, such as "127.0.0.1:5678"; "process 1234" for an end without one.
  std::string own, peer;

  // For Stream::describe().
  std::string text() const { return protocol + ' ' + own + " -> " + peer; }
};

}  // namespace takt::transport
