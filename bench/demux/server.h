// How the servers of both peers publish their references.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "common/references.h"

namespace bench {

// The objects that the client calls: some drawn at random, and the last one, in the order of activation.
inline std::vector<std::size_t> sample_objects(std::size_t objects, std::size_t wanted) {
  std::vector<std::size_t> all(objects), chosen;
  std::iota(all.begin(), all.end(), 0);
  std::sample(all.begin(), all.end() - 1, std::back_inserter(chosen), wanted - 1, std::mt19937(2));
  chosen.push_back(objects - 1);
  return chosen;
}

// Writes reference_of(object) for each sampled object.
template <class ReferenceOf>
void write_sample(const std::string& file, std::size_t objects, std::size_t wanted,
                  ReferenceOf reference_of) {
  const auto sample = sample_objects(objects, std::min(wanted, objects));
  write_references(file, sample.size(), [&](std::size_t number) { return reference_of(sample[number]); });
}

// Names of equal length.
inline std::string object_name(std::size_t object) {
  char name[32];
  std::snprintf(name, sizeof name, "object_%07zu", object);
  return name;
}

}  // namespace bench
