// The command line of omniNames, for users who start `takt` by that name.
#pragma once

#include <expected>
#include <string>
#include <vector>

namespace takt::command {

// The equivalent words for `takt`: `naming` and its options. `words` are without the program's name. The
// error names the word that is not understood.
std::expected<std::vector<std::string>, std::string> words_for_omninames(
    const std::vector<std::string>& words);

}  // namespace takt::command
