// Parses TOML from untrusted files into plain values.
#pragma once

#include <compare>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace takt::toml_parser {

// Line and column count from 1; line 0 means no position.
struct TextPosition {
  std::uint32_t line = 0, column = 0;

  friend auto operator<=>(const TextPosition&, const TextPosition&) = default;
};

struct TomlEntry;

// A value and its position. Dates and times are monostate.
struct TomlNode {
  using List = std::vector<TomlNode>;
  using Table = std::vector<TomlEntry>;

  const std::string* as_text() const { return std::get_if<std::string>(&value); }
  const std::int64_t* as_number() const { return std::get_if<std::int64_t>(&value); }
  const double* as_real() const { return std::get_if<double>(&value); }
  const bool* as_flag() const { return std::get_if<bool>(&value); }
  const List* as_list() const { return std::get_if<List>(&value); }
  const Table* as_table() const { return std::get_if<Table>(&value); }

  TextPosition at;
  std::variant<std::monostate, std::string, std::int64_t, double, bool, List, Table> value;
};

// An entry of a table. Entries are sorted by key.
struct TomlEntry {
  std::string key;
  TextPosition key_at;
  TomlNode node;
};
using Table = TomlNode::Table;

// Null if there is none.
const TomlNode* find(const Table& table, std::string_view key);

struct Problem {
  TextPosition at;
  std::string text;

  // The problem as text for people, with its position in `origin`.
  std::string text_in(const std::string& origin) const;
};

// `text` may be anything. Does not throw for malformed text.
std::expected<Table, Problem> parse(std::string_view text);

}  // namespace takt::toml_parser
