// What other ORBs have said: bodies to start from, of requests and replies, and whole messages.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "grammar/bodies.h"

namespace takt::fuzz::live {

struct Captures {
  std::vector<Body> requests;
  std::map<std::string, std::vector<Body>, std::less<>> replies;  // by operation
  std::vector<Octets> segments;                                   // as they went on the wire
};

// From the .hex files of these folders. Throws std::runtime_error where there are none.
Captures load_captures(const std::vector<std::string>& folders);

}  // namespace takt::fuzz::live
