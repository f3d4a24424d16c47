// An analysis as JSON.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "scheduling/analysis/sensitivity.h"
#include "scheduling/output/calibration.h"
#include "scheduling/output/measured.h"

namespace takt::command {

// Times in whole nanoseconds, in keys that end with _ns; what is not known is null.
std::string json_of(const scheduling::Repository& repository, const scheduling::Analysis& analysis,
                    const std::optional<scheduling::Sensitivity>& sensitivity);

// A run: {"operations": [{"entry_point": ..., "jobs": n, "misses": n, "median_ns": n, "p99_ns": n,
// "longest_ns": n, "jitter_ns": n}, ...]}. What is wrong with the text, if something is.
std::expected<std::vector<scheduling::Measured>, std::string> measured_in(const std::string& text);

// What -ORBExecutionTimes writes: {"executions": [{"operation": ..., "runs": n, "median_ns": n, "p99_ns": n,
// "longest_ns": n}, ...]}. What is wrong with the text, if something is.
std::expected<std::vector<scheduling::Execution>, std::string> executions_in(const std::string& text);

}  // namespace takt::command
