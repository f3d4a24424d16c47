#include "model/diagnostics.h"

namespace takt::idl {

void Diagnostics::error(Location at, std::string text) {
  muted_ = full();
  if (muted_) return;
  ++errors_;
  entries_.push_back({"error", at, std::move(text)});
  if (full()) entries_.push_back({"error", at, "too many errors; the rest are not shown"});
}

void Diagnostics::note(Location at, std::string text) {
  if (!muted_) entries_.push_back({"note", at, std::move(text)});
}

void Diagnostics::warning(Location at, std::string text) {
  if (!full()) entries_.push_back({"warning", at, std::move(text)});
}

void Diagnostics::outdated(Location at, std::string text) {
  if (strict_) return error(at, std::move(text));
  muted_ = full();
  warning(at, std::move(text));
}

void Diagnostics::know_line(std::uint32_t file, std::uint32_t line, std::string_view text) {
  lines_.emplace(key(file, line), text);
}

void Diagnostics::print(std::ostream& out, const std::vector<File>& files, Paint paint) const {
  constexpr std::size_t widest = 160;
  for (const Entry& entry : entries_) {
    out << (entry.at.file < files.size() ? files[entry.at.file].name : "<input>") << ':' << entry.at.line
        << ':' << entry.at.column << ": " << (paint ? paint(entry.severity) : entry.severity) << ": "
        << entry.text << '\n';
    const auto line = lines_.find(key(entry.at.file, entry.at.line));
    if (line == lines_.end() || line->second.size() > widest) continue;
    std::string shown(line->second), below;
    for (std::size_t i = 0; i + 1 < entry.at.column && i < shown.size(); ++i)
      below += shown[i] == '\t' ? '\t' : ' ';
    out << "  " << shown << "\n  " << below << "^\n";
  }
}

}  // namespace takt::idl
