// The encoding parameters that an encoder and a decoder must agree on.
#pragma once

#include <cstddef>
#include <cstdint>

#include <takt/cdr/byte_order.h>
#include <takt/cdr/code_sets.h>

namespace takt {
class MemoryBudget;
}

namespace takt::cdr {

class Environment;

// Limits on what a decoder accepts in one message. Lengths need no limit: none may exceed the octets that
// remain.
struct Limits {
  std::uint32_t nesting = 500;          // nested values, Anys and sequences of classes
  std::uint32_t typecode_nesting = 64;  // nested TypeCodes
  std::uint32_t values = 262'144;
  std::uint32_t indirections = 524'288;  // to values, ids and TypeCodes
  // Steps of processor time (see MessageCosts). These values allow a message 1 ms, plus 1 us per octet.
  std::size_t free_steps = 16'000;
  std::size_t steps_per_octet = 16;
};
inline constexpr Limits default_limits{};

// A small value type. The objects it points to must outlive the stream.
struct Format {
  ByteOrder order = native_order;
  std::uint8_t giop_minor = 2;
  const CodeSets* code_sets = &default_code_sets;
  Environment* environment = nullptr;
  const Limits* limits = &default_limits;
  MemoryBudget* memory = nullptr;  // budget for decoded data; null: unlimited
};

// Whether the code set in use leaves every char unchanged.
inline bool chars_unchanged(const Format& format) {
  return format.code_sets->narrow == CodeSetId::iso_8859_1 || format.code_sets->narrow == CodeSetId::utf_8;
}

}  // namespace takt::cdr
