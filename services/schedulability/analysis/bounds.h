// Utilisation bounds for fixed priorities: fast and sufficient, but not necessary.
#pragma once

#include <cstddef>
#include <span>

namespace takt::scheduling {

// n (2^(1/n) - 1): with rate-monotonic priorities and deadlines at the ends of periods, n threads meet their
// deadlines up to this utilisation (Liu and Layland 1973, theorem 5). n = 0: 1.
double liu_layland_bound(std::size_t threads);

// The product of all (u + 1). The threads meet their deadlines, under the same conditions, if it is at most 2
// (Bini, Buttazzo and Buttazzo 2003).
double hyperbolic_product(std::span<const double> utilisations);

}  // namespace takt::scheduling
