// Findings that a team has decided to live with.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "diff/finding.h"

namespace takt::command {

// Patterns are those of the shell, and an empty one fits everything: * also takes / and ::.
struct Ignore {
  std::string rule;    // an id, or * for all
  std::string name;    // of the subject or of an operation that breaks
  std::string file;    // of the old or the new place
  std::string origin;  // where it is written, for messages
  bool used = false;
};

// RULE, RULE=::NAME-PATTERN or RULE=FILE-PATTERN. The error is for people; an unknown rule is one.
std::expected<Ignore, std::string> ignore_of(const std::string& text);
// [[ignore]] tables with rule, name, file and reason, of which rule is required. Unknown keys are errors.
std::expected<std::vector<Ignore>, std::string> ignores_of(std::string_view toml, const std::string& origin);

// Takes out what is ignored, and marks the ignores that took something.
void drop_ignored(std::vector<idl::diff::Finding>& findings, std::vector<Ignore>& ignores);

}  // namespace takt::command
