// Limits on what a repository holds and answers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace takt::ifr {

// Exceeding a limit raises IMP_LIMIT, with a text that names it.
struct Limits {
  std::size_t id_bytes = 1024;             // a repository id
  std::size_t name_bytes = 512;            // a name, a version or a context
  std::size_t members = 10'000;            // in a struct, union, enum, operation, value
  std::size_t bases = 1000;                // direct and indirect bases of an interface or value
  std::size_t inherited = 250'000;         // bases and their features, for each that one request looks at
  std::size_t nesting = 64;                // levels of sequences and arrays, and of scopes
  std::size_t constant_bytes = 64 * 1024;  // a constant's value
  std::size_t listed = 50'000;             // definitions in one reply
  std::size_t types = 100'000;             // definitions that one TypeCode needs
  std::size_t reply_bytes = 32 << 20;      // octets of the definitions and TypeCodes in one reply, about
  std::uint64_t definitions = 8'000'000;   // in the repository
};

}  // namespace takt::ifr
