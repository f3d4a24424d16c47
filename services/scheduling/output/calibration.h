// Execution times that were measured, as what operations declare.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scheduling/model/declaration.h"

namespace takt::scheduling {

// Of the runs of one operation, without what it calls: times of the processor, not of the clock on the wall.
struct Execution {
  std::string operation;
  std::int64_t runs = 0;
  Time median{0}, p99{0}, longest{0};
};

// Operations that an interface inherits are measured by its name, and declared by that of whoever declares
// them: what was measured of `derived` and is no operation of the repository becomes that of `base`, where
// that is one.
struct Inheritance {
  std::string derived, base;  // interfaces, as Flight::Wing
};
void name_as_declared(std::vector<Execution>& measured, const Repository& repository,
                      std::span<const Inheritance> inherited);

// Several measurements of an operation as one: all runs, and the longest of each time.
std::vector<Execution> combined(std::span<const Execution> measured);

struct Calibration {
  struct Change {
    Execution measured;
    Time declared{0}, calibrated{0};  // worst cases
    bool cached_lowered = false;      // it was over the new worst case
  };
  std::vector<Change> changes;
  std::vector<Declaration> declarations;  // wcet, typical, and cached where it was lowered
  std::vector<std::string> unknown;       // were measured, and are no operations of the repository
  std::vector<std::string> unmeasured;    // are, and were not
};
// The worst case becomes the longest run and `margin_percent` more, the typical the median, both rounded up
// to whole microseconds. `measured` has an operation once.
Calibration calibrate(const Repository& repository, std::span<const Execution> measured, int margin_percent);

// A line for each operation, and what is to be known of them.
std::string calibration_report(const Calibration& calibration);

}  // namespace takt::scheduling
