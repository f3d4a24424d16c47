// Suggestions for mistyped words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace takt::command_line {

// The name with the smallest edit distance to `word`: letters added, dropped or changed, or neighbours
// swapped. The first of equals. `names` must not be empty.
std::string nearest(std::string_view word, const std::vector<std::string>& names);
// The same, if at most two edits lead to it, or a third of the word's letters; else empty. `names` may be
// empty.
std::string alike(std::string_view word, const std::vector<std::string>& names);

}  // namespace takt::command_line
