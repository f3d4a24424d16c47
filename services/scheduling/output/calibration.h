// Turns measured execution times into declarations.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "schedulability/model/declaration.h"

namespace takt::scheduling {

// The measured runs of one operation without its calls, in processor time (not wall-clock time).
struct Execution {
  std::string operation;
  std::int64_t runs = 0;
  Time median{0}, p99{0}, longest{0};
};

// An inherited operation is measured under the derived interface's name and declared under its base's name. A
// measured operation of `derived` that the repository does not have counts as that of `base`, if it has that
// one.
struct Inheritance {
  std::string derived, base;  // interfaces, as Flight::Wing
};
void name_as_declared(std::vector<Execution>& measured, const Repository& repository,
                      std::span<const Inheritance> inherited);

// Combines measurements of each operation: adds up the runs and takes the largest of each time.
std::vector<Execution> combined(std::span<const Execution> measured);

struct Calibration {
  struct Change {
    // Whether there are too few runs for the longest one to be reliable.
    bool has_few_runs() const { return measured.runs < 100; }
    Execution measured;
    Time declared{0}, calibrated{0};  // worst cases
    bool cached_lowered = false;      // it exceeded the new worst case
  };
  std::vector<Change> changes;
  std::vector<Declaration> declarations;  // wcet, typical, and cached if it was lowered
  std::vector<std::string> unknown;       // measured, but not in the repository
  std::vector<std::string> unmeasured;    // in the repository, but not measured
};
// The worst case becomes the longest run plus `margin_percent`, and the typical time the median, both rounded
// up to whole microseconds. `measured` must have each operation at most once.
Calibration calibrate(const Repository& repository, std::span<const Execution> measured, int margin_percent);

// One line per operation, and notes about the operations.
std::string calibration_report(const Calibration& calibration);

}  // namespace takt::scheduling
