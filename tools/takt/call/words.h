// The words of `takt call` that are JSON, and durations.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace takt::command {

// Removes all words that are neither options nor the reference nor the operation, because a parser of command
// lines would split an array and take a negative number for an option. After a word "--" there are no more
// options. `words` begins with "call".
std::vector<std::string> take_call_arguments(std::vector<std::string>& words);

// "500ms", "2s", "1.5s" or "100us". Empty if the text is none of these, is below a millisecond, or is above
// an hour.
std::optional<std::chrono::milliseconds> duration_of(const std::string& text);

}  // namespace takt::command
