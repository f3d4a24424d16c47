#include <cstdint>

#include "diff/report/report.h"

namespace takt::idl::diff {

namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto octet = static_cast<unsigned char>(c);
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += octet < 0x20 || octet >= 0x7f ? '?' : c;  // XML 1.0 excludes most control characters
  }
  return out;
}

}  // namespace

// Writes one test case per finding, so that new and fixed findings show up; without findings, one that
// passes.
void write_junit(std::ostream& out, const std::vector<Finding>& findings) {
  const std::size_t cases = findings.empty() ? 1 : findings.size();
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"takt idl diff\" tests=\"" << cases
      << "\" failures=\"" << findings.size() << "\">\n";
  if (findings.empty()) out << "  <testcase classname=\"takt.idl.diff\" name=\"compatible\"/>\n";
  for (const Finding& finding : findings) {
    const Place& place = finding.now_place.file.empty() ? finding.old_place : finding.now_place;
    out << "  <testcase classname=\"takt.idl.diff." << finding.rule->id << "\" name=\""
        << escaped(finding.subject) << "\" file=\"" << escaped(place.file) << "\" line=\"" << place.line
        << "\">\n    <failure type=\"" << words_of(finding.effects) << "\" message=\""
        << escaped(finding.subject + ": " + finding.detail) << "\">" << escaped(message_of(finding, SIZE_MAX))
        << "</failure>\n  </testcase>\n";
  }
  out << "</testsuite>\n";
}

}  // namespace takt::idl::diff
