#include "cpp/writer.h"

#include <cctype>

namespace takt::idl::cpp {

namespace {

std::string filled(std::string_view line, Writer::Values values) {
  std::string result;
  for (std::size_t i = 0; i < line.size();) {
    if (line[i] != '$') {
      result += line[i++];
      continue;
    }
    std::size_t end = i + 1;
    while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) || line[end] == '_'))
      ++end;
    const std::string_view name = line.substr(i + 1, end - i - 1);
    for (const auto& [key, value] : values)
      if (key == name) result += value;
    i = end;
  }
  return result;
}

}  // namespace

void Writer::print(std::string_view text, Values values) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string line = filled(text.substr(0, end), values);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (line.empty()) continue;
    // Access specifiers are indented one column less.
    const bool specifier = line == "public:" || line == "protected:" || line == "private:";
    text_.append(static_cast<std::size_t>(specifier ? indent_ - 1 : indent_), ' ');
    text_ += line;
    text_ += '\n';
  }
}

void Writer::blank() {
  if (text_.empty() || text_.ends_with("\n\n") || text_.ends_with(":\n")) return;
  if (text_.ends_with("{\n") &&
      !text_.substr(text_.rfind('\n', text_.size() - 2) + 1).starts_with("namespace"))
    return;
  text_ += '\n';
}

}  // namespace takt::idl::cpp
