// The words of `takt call` that are JSON.
#pragma once

#include <string>
#include <vector>

namespace takt::command {

// Removes all words that are neither options nor the reference nor the operation, because a parser of command
// lines would split an array and take a negative number for an option. After a word "--" there are no more
// options. `words` begins with "call".
std::vector<std::string> take_call_arguments(std::vector<std::string>& words);

}  // namespace takt::command
