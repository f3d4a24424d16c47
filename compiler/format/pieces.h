// Splits IDL source, before preprocessing, into pieces. Only blanks between pieces are lost.
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
  literal,  // string or character, with its L
  punctuation,
  block_comment,
  line_comment,  // without the line break
  directive,     // from # to the end of its last line; `#if 0` includes the text that it excludes
};

struct Piece {
  PieceKind kind = PieceKind::punctuation;
  std::string_view text;
  std::uint32_t line = 0;           // from 1
  std::uint32_t breaks_before = 0;  // line breaks after the previous piece
  bool space_before = false;        // a blank or a line break before the piece

  bool is(std::string_view wanted) const {
    return text == wanted && (kind == PieceKind::punctuation || kind == PieceKind::word);
  }
  bool is_comment() const { return kind == PieceKind::block_comment || kind == PieceKind::line_comment; }
};

struct Unfit {
  std::uint32_t line;
  std::string text;  // readable
};

// `text` must not contain \r, and must outlive the pieces. Fails for unterminated comments and literals, and
// for backslashes that continue lines outside directives.
std::expected<std::vector<Piece>, Unfit> pieces_of(std::string_view text);

}  // namespace takt::idl::format
