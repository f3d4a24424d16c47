#include <algorithm>

#include "diff/report/report.h"

namespace takt::idl::diff {

namespace {

constexpr std::size_t shown_carriers = 10;

std::string shown(const Place& place) {
  return place.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

void write_carriers(std::ostream& out, const Finding& finding) {
  const std::size_t shown = std::min(shown_carriers, finding.carriers.size());
  for (std::size_t i = 0; i < shown; ++i) out << "  breaks " << line_of(finding.carriers[i]) << '\n';
  if (shown < finding.carriers.size())
    out << "  and " << finding.carriers.size() - shown << " more operations or places in them\n";
}

}  // namespace

void write_text(std::ostream& out, const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    const bool has_now = !finding.now_place.file.empty(), has_old = !finding.old_place.file.empty();
    out << shown(has_now ? finding.now_place : finding.old_place) << ": " << finding.rule->id << " ["
        << words_of(finding.effects, ", ") << "]: " << finding.subject << ": " << finding.detail << '\n';
    if (has_now && has_old) out << "  old: " << shown(finding.old_place) << '\n';
    out << "  " << finding.rule->change << ' ' << finding.rule->why << '\n';
    write_carriers(out, finding);
    out << "  remedy: " << finding.rule->remedy << '\n';
  }
  if (findings.empty())
    out << "compatible\n";
  else
    out << findings.size() << (findings.size() == 1 ? " finding\n" : " findings\n");
}

}  // namespace takt::idl::diff
