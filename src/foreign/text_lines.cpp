#include "foreign/text_lines.h"

#include <algorithm>

namespace takt::orb::others {

namespace {

constexpr std::string_view spaces = " \t\r";

std::string_view without_comment(std::string_view line) {
  for (auto at = line.find('#'); at != line.npos; at = line.find('#', at + 1))
    if (at == 0 || spaces.find(line[at - 1]) != spaces.npos) return line.substr(0, at);
  return line;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(spaces);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(spaces) + 1 - begin);
}

std::string_view first_word(std::string_view& text) {
  text = trimmed(text);
  const auto end = std::min(text.find_first_of(spaces), text.size());
  const std::string_view word = text.substr(0, end);
  text = trimmed(text.substr(end));
  return word;
}

std::vector<Line> lines_in(std::string_view text) {
  std::vector<Line> lines;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(without_comment(text.substr(0, end)));
    if (!line.empty()) lines.push_back({number, line});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace takt::orb::others
