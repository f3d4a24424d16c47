// A hash without collisions for the operation names of an interface, found by gperf.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace takt::idl::cpp {

// hash(name) = length, if counted, + the sum over the positions of values[character + increment].
struct PerfectHash {
  struct Position {
    int index;  // -1: the last character
    unsigned increment;
  };
  static constexpr int nobody = -1;

  bool counts_length = false;
  std::vector<Position> positions;
  std::vector<std::pair<unsigned, unsigned>> values;  // of the characters that occur
  std::vector<int> slots;                             // hash -> number of the name, or nobody

  unsigned operator()(std::string_view name) const;
};

// Runs gperf, which must be on the PATH; blocks until it ends. The error is for people.
std::expected<PerfectHash, std::string> find_perfect_hash(const std::vector<std::string>& names);

}  // namespace takt::idl::cpp
