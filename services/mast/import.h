// Models of MAST as declarations of operations.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "schedulability/model/declaration.h"

namespace takt::scheduling {

// The time that a number in a model of MAST stands for; models do not say.
struct MastOptions {
  Time unit = std::chrono::microseconds(1);
};

struct ImportedModel {
  std::string name;                       // Model_Name; may be empty
  std::vector<std::string> resources;     // processors and networks, by number of `processor`
  std::vector<Declaration> declarations;  // one for each activity
  std::vector<std::string> unused;        // attributes that do not change the analysis, with their lines
  std::vector<std::string> no_deadline;   // operations without one, which got 64 periods
};

// Reads processors, networks and servers with fixed priorities, shared resources whose ceilings are computed,
// operations, and transactions of activities and multicasts. Each activity becomes an operation with the
// priority of its server; an activity that follows another is called one-way. Times are rounded to
// nanoseconds such that no response is underestimated. Anything else that could change responses is refused.
// The error is "ORIGIN:LINE:COLUMN: text". For files of any content: memory and time are bounded by the
// limits of mast/syntax.h.
std::expected<ImportedModel, std::string> import_mast(std::string_view text, const std::string& origin,
                                                      const MastOptions& options = {});

// A file for the other commands: the declarations, and comments that say where they come from and what was
// left out.
std::string toml_of(const ImportedModel& model, const std::string& origin);

}  // namespace takt::scheduling
