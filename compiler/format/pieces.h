// IDL before the preprocessor, cut into pieces that keep all but the blanks between them.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace takt::idl::format {

enum class PieceKind : std::uint8_t {
  word,
  number,
  literal,  // of strings and characters, with L
  punctuation,
  block_comment,
  line_comment,  // without the line break
  directive,     // from # to the end of its last line; `#if 0` with all that it leaves out
};

struct Piece {
  PieceKind kind = PieceKind::punctuation;
  std::string_view text;
  std::uint32_t line = 0;           // from 1
  std::uint32_t breaks_before = 0;  // line breaks since the piece before
  bool space_before = false;        // a blank or a line break

  bool is(std::string_view wanted) const {
    return text == wanted && (kind == PieceKind::punctuation || kind == PieceKind::word);
  }
  bool is_comment() const { return kind == PieceKind::block_comment || kind == PieceKind::line_comment; }
};

struct Unfit {
  std::uint32_t line;
  std::string text;  // for people
};

// `text` has no \r and outlives the pieces. Refuses what has no end, and lines that a backslash continues
// outside of directives.
std::expected<std::vector<Piece>, Unfit> pieces_of(std::string_view text);

}  // namespace takt::idl::format
