#include "constraint/real.h"

#include <array>
#include <charconv>
#include <cmath>

namespace takt::constraint {
namespace {

template <class T>
long double shortest(T number) {
  constexpr T exact_below = 0x1p64;
  if (!std::isfinite(number) || (number == std::trunc(number) && std::abs(number) < exact_below))
    return number;
  std::array<char, 64> text{};
  const auto written =
      std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::scientific);
  long double read = number;
  std::from_chars(text.data(), written.ptr, read);  // leaves `read` if the decimal is out of range
  return read;
}

}  // namespace

long double real_of(float number) { return shortest(number); }
long double real_of(double number) { return shortest(number); }

}  // namespace takt::constraint
