// Limits on what clients and peers can make a device keep.
#pragma once

#include <chrono>
#include <cstddef>

namespace takt::streams {

struct Limits {
  std::size_t end_points = 64;  // per device; the oldest unused one is destroyed for a new one
  std::size_t flows = 32;       // per end point
  // Octets of frames that all consumers of a device keep at a time; one more flow may not keep more than is
  // left.
  std::size_t kept_bytes = 2ULL << 30;
  std::size_t consumers = 64;  // per flow that the device produces
  std::size_t controls = 16;   // stream controls that bind() makes; one whose client has left gives way
  std::size_t parties = 128;   // end points that one stream control has bound
  std::size_t entries = 64;    // per flow specification or quality of service
  std::size_t entry_bytes = 1024;
  std::size_t properties = 100;  // per object
  std::size_t property_bytes = 64 * 1024;
  std::size_t answer_bytes = 1024 * 1024;        // properties in one answer, where one may stand many times
  std::size_t property_iterators = 4;            // per object; a new one replaces the oldest
  std::chrono::milliseconds call_timeout{5000};  // for each call to another device or end point
  // An end point is unused if it is not connected, or if its flows have carried no frame for this time.
  std::chrono::milliseconds unused_after{60'000};
  // A stream control without a call for this time may give way to a new one although its flows carry frames.
  std::chrono::milliseconds control_lease{3'600'000};
};

}  // namespace takt::streams
