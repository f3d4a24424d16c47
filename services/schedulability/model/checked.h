// Saturating sums and products.
#pragma once

#include <cstdint>
#include <limits>

namespace takt::scheduling {

// Stands for "no bound". No finite result of an analysis reaches it.
inline constexpr std::int64_t unbounded = std::numeric_limits<std::int64_t>::max();

// For numbers that are not negative. A result that reaches `unbounded` stays unbounded.
constexpr std::int64_t add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? unbounded : sum;
}
constexpr std::int64_t multiply(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? unbounded : product;
}
// a / b, rounded up; a >= 0, b > 0.
constexpr std::int64_t divide_up(std::int64_t a, std::int64_t b) { return a / b + (a % b != 0); }

}  // namespace takt::scheduling
