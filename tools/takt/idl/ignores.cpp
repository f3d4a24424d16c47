#include "idl/ignores.h"

#include <fnmatch.h>

#include <algorithm>

#include "config/toml_parser.h"
#include "diff/rules.h"

namespace takt::command {
namespace {

using toml_parser::TomlNode;

bool fits(const std::string& pattern, const std::string& text) {
  return pattern.empty() || ::fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

bool covers(const Ignore& ignore, const idl::diff::Finding& finding) {
  if (ignore.rule != "*" && ignore.rule != finding.rule->id) return false;
  const bool by_name =
      fits(ignore.name, finding.subject) ||
      (!finding.carriers.empty() && std::ranges::all_of(finding.carriers, [&](const auto& one) {
        return fits(ignore.name, one.operation);
      }));
  const auto in_file = [&](const idl::diff::Place& place) {
    return !place.file.empty() && fits(ignore.file, place.file);
  };
  return by_name && (ignore.file.empty() || in_file(finding.now_place) || in_file(finding.old_place));
}

std::string unknown_rule(const Ignore& ignore) {
  if (ignore.rule == "*" || idl::diff::find_rule(ignore.rule)) return {};
  return ignore.origin + ": there is no rule '" + ignore.rule + "'; `takt idl rules` lists them";
}

std::expected<Ignore, std::string> ignore_in(const TomlNode& node, const std::string& origin) {
  Ignore ignore{.rule = {}, .name = {}, .file = {}, .origin = origin + ":" + std::to_string(node.at.line)};
  const auto wrong = [&](const std::string& text) { return std::unexpected(ignore.origin + ": " + text); };
  if (node.as_table() == nullptr) return wrong("'ignore' must be an array of tables, [[ignore]]");
  std::string reason;
  for (const auto& [key, key_at, value] : *node.as_table()) {
    std::string* const into = key == "rule"     ? &ignore.rule
                              : key == "name"   ? &ignore.name
                              : key == "file"   ? &ignore.file
                              : key == "reason" ? &reason
                                                : nullptr;
    if (!into)
      return wrong("unknown key '" + key + "'; the keys of an ignore are rule, name, file and reason");
    if (value.as_text() == nullptr) return wrong("'" + key + "' must be a string");
    *into = *value.as_text();
  }
  if (ignore.rule.empty()) return wrong("an ignore needs a rule: a rule's id, or \"*\"");
  if (const std::string text = unknown_rule(ignore); !text.empty()) return std::unexpected(text);
  return ignore;
}

}  // namespace

std::expected<Ignore, std::string> ignore_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  Ignore ignore{.rule = text.substr(0, equals), .name = {}, .file = {}, .origin = "--ignore " + text};
  if (equals != std::string::npos) {
    const std::string pattern = text.substr(equals + 1);
    (pattern.starts_with("::") ? ignore.name : ignore.file) = pattern;
  }
  if (const std::string unknown = unknown_rule(ignore); !unknown.empty()) return std::unexpected(unknown);
  return ignore;
}

std::expected<std::vector<Ignore>, std::string> ignores_of(std::string_view toml, const std::string& origin) {
  const auto root = toml_parser::parse(toml);
  if (!root) return std::unexpected(root.error().text_in(origin));
  std::vector<Ignore> ignores;
  for (const auto& [key, key_at, node] : *root) {
    if (key != "ignore" || node.as_list() == nullptr)
      return std::unexpected(origin + ":" + std::to_string(key_at.line) +
                             ": expected [[ignore]] tables only, not '" + key + "'");
    for (const TomlNode& each : *node.as_list()) {
      auto ignore = ignore_in(each, origin);
      if (!ignore) return std::unexpected(ignore.error());
      ignores.push_back(std::move(*ignore));
    }
  }
  return ignores;
}

void drop_ignored(std::vector<idl::diff::Finding>& findings, std::vector<Ignore>& ignores) {
  std::erase_if(findings, [&](const idl::diff::Finding& finding) {
    bool dropped = false;
    for (Ignore& ignore : ignores)
      if (covers(ignore, finding)) dropped = ignore.used = true;
    return dropped;
  });
}

}  // namespace takt::command
