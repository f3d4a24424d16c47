// Utilisation bounds for fixed priorities: quick, sufficient, not necessary.
#pragma once

#include <cstddef>
#include <span>

namespace takt::scheduling {

// n (2^(1/n) - 1): with rates as priorities, deadlines at the ends of periods and a utilisation up to this, n
// threads meet theirs (Liu and Layland 1973, theorem 5). n = 0: 1.
double liu_layland_bound(std::size_t threads);

// The product of (u + 1), which may be up to 2 for the same (Bini, Buttazzo and Buttazzo 2003).
double hyperbolic_product(std::span<const double> utilisations);

}  // namespace takt::scheduling
