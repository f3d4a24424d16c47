// What the servers of both peers do with their references.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "common/workload.h"

namespace bench {

// Of many objects the client calls these: some drawn at random, and the last one, in the order of activation.
inline std::vector<std::size_t> sample_objects(std::size_t objects, std::size_t wanted) {
  std::vector<std::size_t> all(objects), chosen;
  std::iota(all.begin(), all.end(), 0);
  std::sample(all.begin(), all.end() - 1, std::back_inserter(chosen), wanted - 1, std::mt19937(2));
  chosen.push_back(objects - 1);
  return chosen;
}

// Writes reference_of(object) for each object of the sample on a line of its own.
template <class ReferenceOf>
void write_references(const std::string& file, std::size_t objects, std::size_t wanted,
                      ReferenceOf reference_of) {
  std::ofstream out(file);
  for (const std::size_t object : sample_objects(objects, std::min(wanted, objects)))
    out << reference_of(object) << '\n';
  check(out.flush().good(), "the references can't be written");
}

// All of one length.
inline std::string object_name(std::size_t object) {
  char name[32];
  std::snprintf(name, sizeof name, "object_%07zu", object);
  return name;
}

}  // namespace bench
