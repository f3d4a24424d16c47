// An analysis as JSON, and measurements from JSON.
#pragma once

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "schedulability/analysis/sensitivity.h"
#include "scheduling/output/calibration.h"
#include "scheduling/output/measured.h"

namespace takt::command {

// Times are integral nanoseconds, in keys that end with _ns; unknown values are null.
std::string json_of(const scheduling::Repository& repository, const scheduling::Analysis& analysis,
                    const std::optional<scheduling::Sensitivity>& sensitivity);
// The measured figures beside the predicted bounds; `delay` as for measured_report().
std::string json_of(const scheduling::Repository& repository, const scheduling::Analysis& analysis,
                    std::span<const scheduling::Measured> measured, std::optional<scheduling::Time> delay);
// The changes, and the analysis with them.
std::string json_of(const scheduling::Calibration& calibration, const scheduling::Repository& repository,
                    const scheduling::Analysis& analysis);

// The figures in a file of -ORBRunRecord.
struct RunRecord {
  std::vector<scheduling::Measured> responses;
  std::vector<scheduling::Execution> executions;
};

// Parses such a file; docs/user/scheduling.md describes it. The error says what is wrong with the text.
std::expected<RunRecord, std::string> run_record_in(const std::string& text);

// The latest wake-up of a thread of priority 99 on any processor, in what `takt rt check --json` printed. The
// error says what is wrong with the text.
std::expected<scheduling::Time, std::string> machine_delay_in(const std::string& text);

}  // namespace takt::command
