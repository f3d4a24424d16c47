// The invocation orders of the experiment: which object and operation each call goes to.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "demux/operations.h"

namespace bench {

inline constexpr std::size_t train_length = 100;
inline constexpr unsigned workload_seed = 1;

struct Call {
  std::uint32_t object;  // from 0, in the order of activation
  std::uint32_t operation;
};

// A sequence of `length` calls to `objects` objects.
//   train        a hundred to one object, a hundred to the next, ...
//   round-robin  one object after the other
//   random       a random object and operation; none repeats before all were called
//   worst        the last operation of the last object
inline std::vector<Call> make_calls(const std::string& order, std::size_t objects, std::size_t operations,
                                    std::size_t length) {
  std::vector<Call> calls(length);
  const auto put = [&](std::size_t at, std::size_t object, std::size_t operation) {
    calls[at] = {static_cast<std::uint32_t>(object), static_cast<std::uint32_t>(operation)};
  };
  if (order == "train") {
    for (std::size_t i = 0; i < length; ++i)
      put(i, i / train_length % objects, i / train_length % operations);
  } else if (order == "round-robin") {
    for (std::size_t i = 0; i < length; ++i) put(i, i % objects, i % operations);
  } else if (order == "random") {
    std::mt19937 random(workload_seed);
    std::vector<std::size_t> shuffled(objects);
    std::iota(shuffled.begin(), shuffled.end(), 0);
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    for (std::size_t i = 0; i < length; ++i) put(i, shuffled[i % objects], random() % operations);
  } else if (order == "worst") {
    for (std::size_t i = 0; i < length; ++i) put(i, objects - 1, operations - 1);
  } else {
    throw std::runtime_error("no such order: " + order);
  }
  return calls;
}

}  // namespace bench
