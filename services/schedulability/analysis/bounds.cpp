#include "schedulability/analysis/bounds.h"

#include <cmath>

namespace takt::scheduling {

double liu_layland_bound(std::size_t threads) {
  if (threads == 0) return 1.0;
  const auto n = static_cast<double>(threads);
  return n * std::expm1(std::log(2.0) / n);
}

double hyperbolic_product(std::span<const double> utilisations) {
  double product = 1.0;
  for (const double each : utilisations) product *= each + 1.0;
  return product;
}

}  // namespace takt::scheduling
