#include "call/words.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace takt::command {
namespace {

// The options of `takt call` whose value is the next word.
constexpr std::array<std::string_view, 9> with_values = {
    "--idl", "-I", "-d", "--data", "--deadline", "--repeat", "--format", "--interface", "--repository"};

// A negative number is an argument.
bool is_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && (word[1] < '0' || word[1] > '9');
}

}  // namespace

std::vector<std::string> take_call_arguments(std::vector<std::string>& words) {
  std::vector<std::string> left, arguments;
  std::size_t named = 0;
  bool options_end = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (i == 0) {
      left.push_back(word);
    } else if (!options_end && word == "--") {
      options_end = true;
    } else if (!options_end && is_option(word)) {
      left.push_back(word);
      const bool has_value =
          word.starts_with("-ORB") || std::ranges::find(with_values, word) != with_values.end();
      if (has_value && i + 1 < words.size()) left.push_back(words[++i]);
    } else if (named < 2) {
      ++named;
      left.push_back(word);
    } else {
      arguments.push_back(word);
    }
  }
  words = std::move(left);
  return arguments;
}

}  // namespace takt::command
