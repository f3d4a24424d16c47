// How a stream is written: what encoder and decoder must agree on.
#pragma once

#include <cstddef>
#include <cstdint>

#include <takt/cdr/byte_order.h>
#include <takt/cdr/code_sets.h>

namespace takt::cdr {

class Environment;

// What a decoder accepts, whatever the octets say. Lengths need no limit of their own: none may exceed the
// octets that are there.
struct Limits {
  std::uint32_t nesting = 500;             // of values, Anys and sequences of classes inside each other
  std::uint32_t typecode_nesting = 64;     // of TypeCodes
  std::uint32_t indirections = 1'000'000;  // of the values of one message, and of one TypeCode
};
inline constexpr Limits default_limits{};

// A small value. What it points to outlives the stream.
struct Format {
  ByteOrder order = native_order;
  std::uint8_t giop_minor = 2;
  const CodeSets* code_sets = &default_code_sets;
  Environment* environment = nullptr;
  const Limits* limits = &default_limits;
};

// Whether the code set in use changes no octet of a char.
inline bool chars_unchanged(const Format& format) {
  return format.code_sets->narrow == CodeSetId::iso_8859_1 || format.code_sets->narrow == CodeSetId::utf_8;
}

}  // namespace takt::cdr
