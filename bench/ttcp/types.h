// The data types of TTCP and their digests, for both sides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <vector>

#include "common/workload.h"

// X(Type) for each type with operations sendTypeSeq_1way and sendTypeSeq_2way.
#define TTCP_TYPES(X) X(Short) X(Char) X(Long) X(Octet) X(Double) X(Struct)

namespace bench {

template <class T>
std::vector<T> make_units(std::size_t count) {
  std::vector<T> units(count);
  for (std::size_t i = 0; i < count; ++i) units[i] = static_cast<T>(i % 100);
  return units;
}
template <>
inline std::vector<BinStruct> make_units<BinStruct>(std::size_t count) {
  std::vector<BinStruct> units(count);
  for (std::size_t i = 0; i < count; ++i) units[i] = make_struct(static_cast<int>(i));
  return units;
}

// Numbers and structs are read in full, octets and characters only at both ends.
template <class Range>
std::uint32_t digest_units(const Range& units) {
  using Unit = std::remove_cvref_t<decltype(*std::begin(units))>;
  const auto count = static_cast<std::size_t>(std::size(units));
  if constexpr (sizeof(Unit) == 1)
    return digest_octets(reinterpret_cast<const std::uint8_t*>(std::data(units)), count);
  else if constexpr (std::is_arithmetic_v<Unit>) {
    std::uint32_t sum = 0;
    for (const Unit unit : units) sum += static_cast<std::uint32_t>(static_cast<std::int32_t>(unit));
    return sum;
  } else {
    return digest_structs(units);
  }
}

}  // namespace bench
