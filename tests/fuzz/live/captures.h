// Captured messages of other ORBs as a starting point: bodies of requests and replies, and whole messages.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "grammar/bodies.h"

namespace takt::fuzz::live {

struct Captures {
  std::vector<Body> requests;
  std::map<std::string, std::vector<Body>, std::less<>> replies;  // by operation
  std::vector<Octets> segments;                                   // as captured on the wire
};

// Reads the .hex files in these folders. Throws std::runtime_error if there are none.
Captures load_captures(const std::vector<std::string>& folders);

}  // namespace takt::fuzz::live
