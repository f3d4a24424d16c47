#include "nearest.h"

#include <algorithm>
#include <cstddef>

namespace takt::command_line {
namespace {

constexpr std::size_t longest = 64;  // longest word that is compared

// The edit distance. Rows are prefixes of one word, columns prefixes of the other.
std::size_t distance(std::string_view from, std::string_view to) {
  std::vector<std::vector<std::size_t>> steps(from.size() + 1, std::vector<std::size_t>(to.size() + 1));
  for (std::size_t i = 0; i <= from.size(); ++i)
    for (std::size_t j = 0; j <= to.size(); ++j) {
      if (i == 0 || j == 0) {
        steps[i][j] = i + j;
        continue;
      }
      const std::size_t changed = from[i - 1] == to[j - 1] ? 0 : 1;
      steps[i][j] = std::min({steps[i - 1][j] + 1, steps[i][j - 1] + 1, steps[i - 1][j - 1] + changed});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
        steps[i][j] = std::min(steps[i][j], steps[i - 2][j - 2] + 1);
    }
  return steps[from.size()][to.size()];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& names) {
  word = word.substr(0, longest);
  return *std::ranges::min_element(names, {}, [&](const std::string& name) { return distance(word, name); });
}

std::string alike(std::string_view word, const std::vector<std::string>& names) {
  if (names.empty() || word.size() > longest) return "";
  const std::string found = nearest(word, names);
  return distance(word, found) <= std::max<std::size_t>(2, word.size() / 3) ? found : "";
}

}  // namespace takt::command_line
