// A collision-free hash of the operation names of an interface, found by gperf.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace takt::idl::cpp {

// hash(name) = (length, if it counts) + the sum over all positions of values[character + increment].
struct PerfectHash {
  struct Position {
    int index;  // -1: the last character
    unsigned increment;
  };
  static constexpr int nobody = -1;

  bool counts_length = false;
  std::vector<Position> positions;
  std::vector<std::pair<unsigned, unsigned>> values;  // by character; only those that occur
  std::vector<int> slots;                             // hash -> number of the name; `nobody` if free

  unsigned operator()(std::string_view name) const;
};

// The tables of a hash as C++ initializers without the outer braces: "{0, 0}, {1, 2}" and, for free slots,
// 65535.
struct TablesOfHash {
  explicit TablesOfHash(const PerfectHash& hash);
  std::string positions, values, slots;
};

// Runs gperf, which must be on the PATH; blocks until it ends. The error is readable text.
std::expected<PerfectHash, std::string> find_perfect_hash(const std::vector<std::string>& names);

}  // namespace takt::idl::cpp
