#include "format/unified_diff.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace takt::idl::format {

namespace {

using Text = std::vector<std::string_view>;

struct Edit {
  char kind;  // ' ', '-' or '+'
  std::string_view line;
};

constexpr std::size_t context_lines = 3;
constexpr std::size_t most_cells = std::size_t{1} << 24;  // cells of the table of common subsequences

Text lines_of(std::string_view text) {
  Text lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

// Table of the lengths of the longest common subsequence for each pair of suffixes.
std::vector<std::uint32_t> common_lengths(const Text& old, const Text& now) {
  const std::size_t width = now.size() + 1;
  std::vector<std::uint32_t> lengths((old.size() + 1) * width);
  for (std::size_t i = old.size(); i-- > 0;)
    for (std::size_t j = now.size(); j-- > 0;)
      lengths[i * width + j] = old[i] == now[j]
                                   ? lengths[(i + 1) * width + j + 1] + 1
                                   : std::max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
  return lengths;
}

void edit(const Text& old, const Text& now, std::vector<Edit>& edits) {
  std::size_t i = 0, j = 0;
  if ((old.size() + 1) * (now.size() + 1) <= most_cells) {
    const auto lengths = common_lengths(old, now);
    const std::size_t width = now.size() + 1;
    while (i < old.size() && j < now.size()) {
      if (old[i] == now[j])
        edits.push_back({' ', old[i]}), ++i, ++j;
      else if (lengths[(i + 1) * width + j] >= lengths[i * width + j + 1])
        edits.push_back({'-', old[i++]});
      else
        edits.push_back({'+', now[j++]});
    }
  }
  while (i < old.size()) edits.push_back({'-', old[i++]});
  while (j < now.size()) edits.push_back({'+', now[j++]});
}

std::vector<Edit> edits_of(Text old, Text now) {
  std::vector<Edit> edits;
  std::size_t first = 0, last = 0;
  while (first < old.size() && first < now.size() && old[first] == now[first]) ++first;
  while (last + first < old.size() && last + first < now.size() &&
         old[old.size() - 1 - last] == now[now.size() - 1 - last])
    ++last;
  for (std::size_t i = 0; i < first; ++i) edits.push_back({' ', old[i]});
  const auto middle = [&](const Text& text) {
    return Text(text.begin() + static_cast<std::ptrdiff_t>(first),
                text.end() - static_cast<std::ptrdiff_t>(last));
  };
  edit(middle(old), middle(now), edits);
  for (std::size_t i = old.size() - last; i < old.size(); ++i) edits.push_back({' ', old[i]});
  return edits;
}

std::string range(std::size_t first, std::size_t count) {
  return std::to_string(count == 0 ? first : first + 1) + "," + std::to_string(count);
}

// The text of one hunk, whose edits start at `begin`; `old` and `now` are the numbers of lines before it.
std::string hunk(const std::vector<Edit>& edits, std::size_t begin, std::size_t end, std::size_t old,
                 std::size_t now) {
  std::string body;
  std::size_t olds = 0, nows = 0;
  for (std::size_t i = begin; i < end; ++i) {
    olds += edits[i].kind != '+';
    nows += edits[i].kind != '-';
    body.append(1, edits[i].kind).append(edits[i].line).append("\n");
  }
  return "@@ -" + range(old, olds) + " +" + range(now, nows) + " @@\n" + body;
}

}  // namespace

std::string unified_diff(std::string_view old, std::string_view now, const std::string& name) {
  if (old == now) return {};
  const auto edits = edits_of(lines_of(old), lines_of(now));
  std::string text = "--- " + name + "\n+++ " + name + "\n";
  std::size_t olds = 0, nows = 0, counted = 0;
  for (std::size_t i = 0; i < edits.size();) {
    if (edits[i].kind == ' ') {
      ++i;
      continue;
    }
    const std::size_t begin = i < context_lines + counted ? counted : i - context_lines;
    std::size_t end = i, quiet = 0;  // end of the last change; unchanged lines since then
    for (std::size_t j = i; j < edits.size() && quiet <= 2 * context_lines; ++j) {
      quiet = edits[j].kind == ' ' ? quiet + 1 : 0;
      if (quiet == 0) end = j + 1;
    }
    end = std::min(end + context_lines, edits.size());
    for (; counted < begin; ++counted) olds += edits[counted].kind != '+', nows += edits[counted].kind != '-';
    text += hunk(edits, begin, end, olds, nows);
    for (; counted < end; ++counted) olds += edits[counted].kind != '+', nows += edits[counted].kind != '-';
    i = end;
  }
  return text;
}

}  // namespace takt::idl::format
