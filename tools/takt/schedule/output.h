// Files that a command of `takt schedule` writes and may write again.
#pragma once

#include <string>
#include <string_view>

#include "common/command.h"
#include "common/files.h"

namespace takt::command {

// Refuses to overwrite a file whose first line this command did not write.
inline void refuse_to_overwrite(const std::string& output, std::string_view first_words) {
  if (output.empty() || output == "-") return;
  const auto before = read_file(output);
  if (before && !before->empty() && !before->starts_with(first_words))
    fail(output + ": exists and was not made by this command; give --output another file");
}

}  // namespace takt::command
