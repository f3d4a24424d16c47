// Random values for rapidcheck, all of the same few types, because each further type takes seconds to
// compile.
#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <rapidcheck.h>

#include <takt/base/bytes.h>
#include <takt/cdr/byte_order.h>

namespace takt::cdr::test {

inline std::size_t drawn_up_to(std::size_t most) {
  return static_cast<std::size_t>(*rc::gen::inRange<std::uint64_t>(0, most + 1));
}

inline ByteOrder drawn_order() { return drawn_up_to(1) == 0 ? ByteOrder::big : ByteOrder::little; }

// Any bits except NaNs.
template <class T>
T number_of(std::uint64_t bits) {
  if constexpr (std::floating_point<T>)
    return std::ldexp(static_cast<T>(static_cast<std::int64_t>(bits)), static_cast<int>(bits % 128) - 64);
  else
    return static_cast<T>(bits);
}
template <class T>
T drawn_number() {
  return number_of<T>(*rc::gen::arbitrary<std::uint64_t>());
}

// Any length that rapidcheck chooses.
template <class T>
std::vector<T> drawn_numbers() {
  std::vector<T> numbers;
  for (const std::uint64_t bits : *rc::gen::arbitrary<std::vector<std::uint64_t>>())
    numbers.push_back(number_of<T>(bits));
  return numbers;
}
// ASCII characters except the null character.
inline std::string drawn_text() {
  std::string text;
  for (const std::uint8_t octet : drawn_numbers<std::uint8_t>()) text += static_cast<char>(octet % 127 + 1);
  return text;
}
// Elements drawn by `one`.
template <class One>
auto drawn_vector(One one) {
  std::vector<decltype(one())> all(drawn_up_to(20));
  for (auto& each : all) each = one();
  return all;
}

}  // namespace takt::cdr::test
