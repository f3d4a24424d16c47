// The same call many times, and how long the calls took.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <takt/dynamic/request.h>

#include "json/context.h"

namespace takt::command {

inline constexpr std::uint64_t most_repeats = 10'000'000;
// Repeating ends after as many failures in a row.
inline constexpr std::uint64_t most_failures_in_a_row = 10;

struct Repeated {
  std::vector<double> us;  // times of the calls with a reply, which may be a user exception
  std::uint64_t calls = 0;
  double seconds = 0;
  std::map<std::string, std::uint64_t> exceptions;  // by name, system exceptions and user exceptions
  std::uint64_t failures = 0;                       // system exceptions
};

// Sends the request, which is ready, `count` times; without waiting for replies if `oneway`. Blocks.
Repeated repeat(CORBA::Request& request, std::uint64_t count, bool oneway);
// Numbers and a histogram whose limits are powers of two.
json::Json json_of(Repeated repeated);

}  // namespace takt::command
