// The names that the bench binds: o0 to o999 in each of the contexts c0, c1, ...
#pragma once

#include <cstdint>
#include <string>

#include "CosNamingC.h"

namespace bench {

inline constexpr std::uint64_t names_in_context = 1000;

inline std::string context_id(std::uint64_t number) {
  return "c" + std::to_string(number / names_in_context);
}
inline std::string object_id(std::uint64_t number) { return "o" + std::to_string(number % names_in_context); }
inline CosNaming::Name name_of(std::uint64_t number) {
  return {{context_id(number), ""}, {object_id(number), "object"}};
}

}  // namespace bench
