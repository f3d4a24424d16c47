// TOML of files that may be anything, as plain values.
#pragma once

#include <compare>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace takt::toml_parser {

// Counted from 1; line 0: nowhere.
struct Position {
  std::uint32_t line = 0, column = 0;

  friend auto operator<=>(const Position&, const Position&) = default;
};

struct Entry;

// A value and where it begins. What nobody here takes, as a float or a date, is none of these.
struct Node {
  using List = std::vector<Node>;
  using Table = std::vector<Entry>;

  const std::string* as_text() const { return std::get_if<std::string>(&value); }
  const std::int64_t* as_number() const { return std::get_if<std::int64_t>(&value); }
  const bool* as_flag() const { return std::get_if<bool>(&value); }
  const List* as_list() const { return std::get_if<List>(&value); }
  const Table* as_table() const { return std::get_if<Table>(&value); }

  Position at;
  std::variant<std::monostate, std::string, std::int64_t, bool, List, Table> value;
};

// Of a table, where they are by name.
struct Entry {
  std::string key;
  Position key_at;
  Node node;
};
using Table = Node::Table;

// Nothing if there is none.
const Node* find(const Table& table, std::string_view key);

struct Problem {
  Position at;
  std::string text;

  // For people.
  std::string text_in(const std::string& origin) const;
};

// Whatever the text is.
std::expected<Table, Problem> parse(std::string_view text);

}  // namespace takt::toml_parser
