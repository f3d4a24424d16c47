// How a stream is written: what encoder and decoder must agree on.
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

// What a decoder accepts of one message, whatever the octets say. Lengths need no limit of their own: none
// may exceed the octets that are there.
struct Limits {
  std::uint32_t nesting = 500;          // values, Anys and sequences of classes inside each other
  std::uint32_t typecode_nesting = 64;  // TypeCodes inside each other
  std::uint32_t values = 262'144;
  std::uint32_t indirections = 524'288;  // to values, their ids and TypeCodes
  // Steps of processor time (see MessageCosts): with these a message takes at most 1 ms, and 1 us for each
  // octet.
  std::size_t free_steps = 16'000;
  std::size_t steps_per_octet = 16;
};
inline constexpr Limits default_limits{};

// A small value. What it points to outlives the stream.
struct Format {
  ByteOrder order = native_order;
  std::uint8_t giop_minor = 2;
  const CodeSets* code_sets = &default_code_sets;
  Environment* environment = nullptr;
  const Limits* limits = &default_limits;
  MemoryBudget* memory = nullptr;  // pays for what is decoded; null: not limited
};

// Whether the code set in use changes no octet of a char.
inline bool chars_unchanged(const Format& format) {
  return format.code_sets->narrow == CodeSetId::iso_8859_1 || format.code_sets->narrow == CodeSetId::utf_8;
}

}  // namespace takt::cdr
