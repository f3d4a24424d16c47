// Passes the references of a server with many objects to its clients in a file with a stringified reference
// on each line.
#pragma once

#include <cstddef>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "common/workload.h"

namespace bench {

inline std::vector<std::string> read_references(const std::string& file) {
  std::ifstream in(file);
  std::vector<std::string> references;
  for (std::string line; std::getline(in, line);) references.push_back(std::move(line));
  check(!references.empty(), "the server wrote no references");
  return references;
}

// Calls reference_of(number) for each number below `count`.
template <class ReferenceOf>
void write_references(const std::string& file, std::size_t count, ReferenceOf reference_of) {
  std::ofstream out(file);
  for (std::size_t number = 0; number < count; ++number) out << reference_of(number) << '\n';
  check(out.flush().good(), "the references can't be written");
}

}  // namespace bench
