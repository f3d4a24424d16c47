// Random task sets for the parts of the bench.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>
#include <string>

#include "schedulability/model/repository.h"
#include "schedulability/simulation/random_sets.h"

namespace bench {

inline constexpr std::int64_t millisecond = 1'000'000;

// Divisors of 5,040 ms, so that hyperperiods are short.
inline constexpr std::int64_t periods_ms[] = {
    10,  12,  14,  15,  16,  18,  20,  21,  24,  28,  30,  35,  36,   40,   42,   45,  48,
    56,  60,  63,  70,  72,  80,  84,  90,  105, 112, 120, 126, 140,  144,  168,  180, 210,
    240, 252, 280, 315, 336, 360, 420, 504, 560, 630, 720, 840, 1008, 1260, 1680, 2520};

// `deadline` is a fraction of the period. Ends the program if the repository refuses it.
inline void declare(takt::scheduling::Repository& repository, double utilisation, std::int64_t period,
                    double deadline = 1.0, takt::scheduling::Time blocking = {}) {
  using takt::scheduling::Time;
  const auto handle = repository.create("operation " + std::to_string(repository.infos().size() + 1));
  takt::scheduling::Requirements wanted;
  wanted.period = Time(period);
  wanted.worstcase_execution_time =
      Time(std::max<std::int64_t>(1, std::llround(utilisation * static_cast<double>(period))));
  wanted.deadline = Time(std::max<std::int64_t>(wanted.worstcase_execution_time.count(),
                                                std::llround(deadline * static_cast<double>(period))));
  wanted.blocking = blocking;
  if (!handle || !repository.set(*handle, wanted)) std::abort();
}

}  // namespace bench
