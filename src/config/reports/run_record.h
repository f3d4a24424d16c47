// The file of -ORBRunRecord.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rt/measuring/execution_times.h"
#include "rt/schedule/operation_schedule.h"

namespace takt::orb {

struct RunRecord {
  std::string orb_id;
  rt::OperationRuns runs;                               // scheduled operations
  std::vector<rt::ExecutionTimes::Figures> executions;  // served operations
  std::int64_t executions_left_out = 0;
};

// One JSON object with an array "operations", sorted by name. An operation that is both scheduled and served
// is one element. docs/user/scheduling.md describes it.
std::string text_of(const RunRecord& record);

// Creates the file if it does not exist. Returns an error text, or nullopt.
std::optional<std::string> check_run_record(const std::string& file);
// Replaces the file's content. Returns an error text, or nullopt.
std::optional<std::string> write_run_record(const std::string& file, const RunRecord& record);

}  // namespace takt::orb
