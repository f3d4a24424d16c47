// What somebody may have meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace takt::command_line {

// Of the names, of which there is one at least, that which takes the fewest letters to be added, dropped or
// changed, or neighbours to be swapped; the first of equals.
std::string nearest(std::string_view word, const std::vector<std::string>& names);

}  // namespace takt::command_line
