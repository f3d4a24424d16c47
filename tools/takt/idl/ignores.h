// Findings that the user has decided to accept.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "diff/finding.h"

namespace takt::command {

// Patterns are shell patterns in which * also matches / and ::. An empty pattern matches everything.
struct Ignore {
  std::string rule;    // a rule's id, or * for all rules
  std::string name;    // matches the subject or an operation that breaks
  std::string file;    // matches the old or the new file
  std::string origin;  // place of the entry, for messages
  bool used = false;
};

// Parses RULE, RULE=::NAME-PATTERN or RULE=FILE-PATTERN. An unknown rule is an error. The error is readable
// text.
std::expected<Ignore, std::string> ignore_of(const std::string& text);
// Parses [[ignore]] tables with rule (required), name, file and reason. Unknown keys are errors.
std::expected<std::vector<Ignore>, std::string> ignores_of(std::string_view toml, const std::string& origin);

// Removes ignored findings, and marks the entries that matched any.
void drop_ignored(std::vector<idl::diff::Finding>& findings, std::vector<Ignore>& ignores);

}  // namespace takt::command
