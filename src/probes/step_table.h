// Average time of each step of a call: tables 1 and 2 of [Kuhns 1999].
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "probes/timeline.h"

namespace takt::probes {

struct StepName {
  Step step;
  int number;  // in the papers' tables
  std::string_view title;
};
// All steps that take time, in the papers' order: the client's, then the server's.
std::span<const StepName> step_names();

// For two-way calls; times in nanoseconds per call.
struct StepFigures {
  const StepName* name;
  double mean_ns = 0;
  std::int64_t p50_ns = 0, p99_ns = 0;
};
struct SideFigures {
  bool of_server = false;
  std::size_t calls = 0;
  std::vector<StepFigures> steps;
  double sum_ns = 0;  // sum of the steps' means; equals the mean of the whole call
};
// Client, then server; a side without calls is omitted.
std::vector<SideFigures> figures_of(std::span<const ProbedCall> calls);

// For people.
std::string step_table(std::span<const SideFigures> sides);

}  // namespace takt::probes
