// All rules, and references to rules that are checked at compile time.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "diff/rules/constructed.h"
#include "diff/rules/declarations.h"
#include "diff/rules/interfaces.h"
#include "diff/rules/rule.h"
#include "diff/rules/types.h"
#include "diff/rules/values.h"

namespace takt::idl::diff {

namespace rules {

template <std::size_t... N>
consteval auto joined(const std::array<Rule, N>&... parts) {
  std::array<Rule, (N + ...)> whole{};
  std::size_t next = 0;
  const auto append = [&](const auto& part) {
    for (const Rule& rule : part) whole[next++] = rule;
  };
  (append(parts), ...);
  return whole;
}

// In the order of the manual.
inline constexpr auto all = joined(of_interfaces, of_types, of_constructed_types, of_values, of_declarations);

}  // namespace rules

// Refers to a rule by its id. An unknown id is a compile-time error.
class RuleName {
 public:
  consteval RuleName(const char* id) : index_(find(id)) {}
  const Rule& operator*() const { return rules::all[index_]; }
  const Rule* operator->() const { return &rules::all[index_]; }

 private:
  static consteval std::size_t find(std::string_view id) {
    for (std::size_t i = 0; i < rules::all.size(); ++i)
      if (rules::all[i].id == id) return i;
    throw "unknown rule";
  }
  std::size_t index_;
};

// Null if no rule has the id.
const Rule* find_rule(std::string_view id);

// The rules table of docs/user/idl-tools.md, in Markdown.
std::string rules_as_markdown();

}  // namespace takt::idl::diff
