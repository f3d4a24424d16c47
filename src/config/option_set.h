// Sets of named values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace takt::orb {

struct OptionSetValue {
  std::uint32_t bits = 0;           // 1 << value for each named value
  std::vector<std::string> others;  // texts that are no named value, for options that take such
};

// T: an enum of values below 32.
template <class T>
struct OptionSet : OptionSetValue {
  bool has(T value) const { return (bits >> static_cast<std::uint32_t>(value) & 1) != 0; }
  bool has_only(T value) const { return bits == 1u << static_cast<std::uint32_t>(value) && others.empty(); }
  bool empty() const { return bits == 0 && others.empty(); }
};

}  // namespace takt::orb
