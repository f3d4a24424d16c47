// The repository ids of the bench's definitions: modules with a thousand structs each.
#pragma once

#include <cstdint>
#include <string>

namespace bench {

constexpr std::uint64_t structs_of_a_module = 1000;

inline std::string module_id(std::uint64_t number) {
  return "IDL:Bench/M" + std::to_string(number / structs_of_a_module) + ":1.0";
}
inline std::string struct_id(std::uint64_t number) {
  return "IDL:Bench/M" + std::to_string(number / structs_of_a_module) + "/S" + std::to_string(number) +
         ":1.0";
}

}  // namespace bench
