// Findings as people and programs read them.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "diff/finding.h"

namespace takt::idl::diff {

enum class ReportFormat { text, json, junit, github };

// Writes the findings, all of them. Text names at most ten operations of each; the other formats name all.
void write_report(std::ostream& out, const std::vector<Finding>& findings, ReportFormat format);

// One line: the operation, the place in its signature, and the path to the type.
std::string line_of(const Carrier& carrier);
// Sentences: what changed, why it matters, what would keep it compatible, what breaks.
std::string message_of(const Finding& finding, std::size_t most_carriers);

void write_text(std::ostream& out, const std::vector<Finding>& findings);
void write_json(std::ostream& out, const std::vector<Finding>& findings);
void write_junit(std::ostream& out, const std::vector<Finding>& findings);
// Workflow commands that GitHub shows at the lines: errors for WIRE and WIRE-BACK, and warnings.
void write_github(std::ostream& out, const std::vector<Finding>& findings);

}  // namespace takt::idl::diff
