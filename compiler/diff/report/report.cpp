#include "diff/report/report.h"

#include <algorithm>

namespace takt::idl::diff {

std::string line_of(const Carrier& carrier) {
  std::string text = carrier.operation;
  if (!carrier.slot.empty()) text += ", " + carrier.slot;
  if (!carrier.path.empty()) text += ": " + carrier.path;
  return text;
}

std::string message_of(const Finding& finding, std::size_t most_carriers) {
  const Rule& rule = *finding.rule;
  std::string text = finding.subject + ": " + finding.detail + ". " + std::string(rule.change) + " " +
                     std::string(rule.why) + " To stay compatible: " + std::string(rule.remedy);
  const std::size_t shown = std::min(most_carriers, finding.carriers.size());
  for (std::size_t i = 0; i < shown; ++i)
    text += (i == 0 ? " Operations: " : "; ") + line_of(finding.carriers[i]);
  if (shown < finding.carriers.size())
    text += "; and " + std::to_string(finding.carriers.size() - shown) + " more";
  return text;
}

void write_report(std::ostream& out, const std::vector<Finding>& findings, ReportFormat format) {
  switch (format) {
    case ReportFormat::text:
      return write_text(out, findings);
    case ReportFormat::json:
      return write_json(out, findings);
    case ReportFormat::junit:
      return write_junit(out, findings);
    case ReportFormat::github:
      return write_github(out, findings);
  }
}

}  // namespace takt::idl::diff
