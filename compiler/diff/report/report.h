// Writes findings for people and for programs.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "diff/finding.h"

namespace takt::idl::diff {

enum class ReportFormat { text, json, junit, github };

// Writes all findings. The text format lists at most ten operations for each; the other formats list all.
void write_report(std::ostream& out, const std::vector<Finding>& findings, ReportFormat format);

// One line: the operation, the position in its signature, and the path to the type.
std::string line_of(const Carrier& carrier);
// Sentences that say what changed, why it matters, how to keep it compatible, and what breaks.
std::string message_of(const Finding& finding, std::size_t most_carriers);

void write_text(std::ostream& out, const std::vector<Finding>& findings);
void write_json(std::ostream& out, const std::vector<Finding>& findings);
void write_junit(std::ostream& out, const std::vector<Finding>& findings);
// Writes workflow commands that GitHub shows beside the lines: errors for WIRE and WIRE-BACK, warnings for
// the rest.
void write_github(std::ostream& out, const std::vector<Finding>& findings);

}  // namespace takt::idl::diff
