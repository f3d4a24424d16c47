// The text of a document, with positions as the Language Server Protocol counts them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace takt::command::lsp {

// Whether an IDL name may contain the character.
bool is_name_character(char c);

// Line and UTF-16 code unit, both from 0.
struct Position {
  std::uint32_t line = 0, character = 0;
};

class Text {
 public:
  explicit Text(std::string octets);

  const std::string& octets() const { return octets_; }
  // Without its line break; empty for lines that do not exist.
  std::string_view line(std::size_t number) const;
  std::size_t lines() const { return starts_.size(); }

  // For a line from 0 and an octet of it from 0. Positions behind the line's end become its end.
  Position position(std::size_t line, std::size_t octet) const;
  // The octet in its line, and in the text.
  std::size_t column(Position at) const;
  std::size_t offset(Position at) const;

  // Whether an IDL name begins at that octet of the line: `name`, or `_name`. `length` is that of the text
  // as written.
  bool has_name(std::size_t line, std::size_t octet, std::string_view name, std::size_t& length) const;

 private:
  std::string octets_;
  std::vector<std::size_t> starts_;
};

}  // namespace takt::command::lsp
