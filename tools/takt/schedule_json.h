// An analysis as JSON, and measurements from JSON.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "scheduling/analysis/sensitivity.h"
#include "scheduling/output/calibration.h"
#include "scheduling/output/measured.h"

namespace takt::command {

// Times are integral nanoseconds, in keys that end with _ns; unknown values are null.
std::string json_of(const scheduling::Repository& repository, const scheduling::Analysis& analysis,
                    const std::optional<scheduling::Sensitivity>& sensitivity);

// Parses a measured run: {"operations": [{"entry_point": ..., "jobs": n, "misses": n, "median_ns": n,
// "p99_ns": n, "longest_ns": n, "jitter_ns": n}, ...]}. The error says what is wrong with the text.
std::expected<std::vector<scheduling::Measured>, std::string> measured_in(const std::string& text);

// Parses the file of -ORBExecutionTimes: {"executions": [{"operation": ..., "runs": n, "median_ns": n,
// "p99_ns": n, "longest_ns": n}, ...]}. The error says what is wrong with the text.
std::expected<std::vector<scheduling::Execution>, std::string> executions_in(const std::string& text);

}  // namespace takt::command
