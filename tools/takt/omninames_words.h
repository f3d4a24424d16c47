// The command line of omniNames, for those who start it by that name.
#pragma once

#include <expected>
#include <string>
#include <vector>

namespace takt::command {

// What `takt` is given instead: naming, and the options that mean the same. `words` without the program's
// name. The error says what is not understood.
std::expected<std::vector<std::string>, std::string> words_for_omninames(
    const std::vector<std::string>& words);

}  // namespace takt::command
