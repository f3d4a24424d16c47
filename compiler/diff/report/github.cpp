#include "diff/report/report.h"

namespace takt::idl::diff {

namespace {

// Escapes text for GitHub's workflow commands. In properties, `:` and `,` are separators and are escaped too.
std::string escaped(std::string_view text, bool is_property) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto octet = static_cast<unsigned char>(c);
    if (c == '%' || c == '\r' || c == '\n' || (is_property && (c == ':' || c == ',')))
      out.append("%") += {digits[octet >> 4], digits[octet & 15]};
    else
      out += c;
  }
  return out;
}

}  // namespace

void write_github(std::ostream& out, const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    const bool is_error = finding.effects & (bit(Effect::wire) | bit(Effect::wire_back));
    const Place& place = finding.now_place.file.empty() ? finding.old_place : finding.now_place;
    out << (is_error ? "::error" : "::warning") << " file=" << escaped(place.file, true)
        << ",line=" << place.line << ",col=" << place.column
        << ",title=" << escaped(std::string(finding.rule->id) + " (" + words_of(finding.effects) + ")", true)
        << "::" << escaped(message_of(finding, 10), false) << '\n';
  }
}

}  // namespace takt::idl::diff
