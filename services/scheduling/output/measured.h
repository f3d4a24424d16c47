// What a run has shown, beside what was predicted.
#pragma once

#include <span>
#include <string>

#include "scheduling/analysis/analysis.h"

namespace takt::scheduling {

// Of the jobs of one thread, by the name of its entry. Times from the release to the end.
struct Measured {
  std::string entry_point;
  std::int64_t jobs = 0, misses = 0;
  Time median{0}, p99{0}, longest{0};
  Time jitter{0};  // from the fastest to the slowest
};

// Whether a job took longer than the analysis proves that it can. Not where it has no bound.
bool exceeds_its_bound(const Repository& repository, const Analysis& analysis, const Measured& measured);

// The bound of each measured thread beside what was seen, as text and as SVG, by priority. Whoever is not in
// the schedule is left out.
std::string measured_report(const Repository& repository, const Analysis& analysis,
                            std::span<const Measured> measured);
std::string measured_chart(const Repository& repository, const Analysis& analysis,
                           std::span<const Measured> measured);

}  // namespace takt::scheduling
