// Arranges pieces on lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "format/formatter.h"
#include "format/pieces.h"
#include "format/spacing.h"

namespace takt::idl::format {

// Holds the text so far and the statement being read. A statement that is interrupted by a comment or a
// directive continues after it, indented by two more levels.
class Lines {
 public:
  explicit Lines(const Style& style) : style_(style) {}

  void add(const Piece& piece);
  // Ends the statement and its line.
  void end_statement(std::size_t depth);
  // Writes the pieces of the statement so far; the statement continues on the next line.
  void interrupt(std::size_t depth);

  // Adds a comment to the end of the last line.
  void add_trailing(const Piece& comment);
  void add_comment(const Piece& comment, std::size_t depth);
  void add_directive(const Piece& directive);
  // Adds an empty line, unless a block was just opened or nothing is written yet.
  void add_empty_line();
  // Notes that the next line is the first one of a block.
  void open_block() { opened_ = true; }

  bool has_statement() const { return !statement_.empty() || is_continued_; }
  const std::vector<Piece>& pieces() const { return statement_; }
  std::string take() { return std::move(text_); }
  // The width of the pieces on one line, including the blanks between them.
  static std::size_t width_of(const std::vector<Piece>& pieces);
  const Style& style() const { return style_; }

 private:
  std::string indentation(std::size_t depth) const;
  void write(std::string_view line);
  // Pieces of a statement between which no line breaks.
  struct Part {
    std::string text;
    bool blank_before;  // on the same line as the part before
  };
  Part next_part(std::size_t& next, Spacing& spacing) const;
  void write_statement(std::size_t depth);

  const Style& style_;
  std::string text_;
  std::vector<Piece> statement_;
  bool is_continued_ = false;  // the statement began on lines already written
  bool opened_ = true;
};

// Removes trailing blanks. In a block comment whose lines begin with `*`, aligns the stars.
std::string tidy_comment(std::string_view comment, std::string_view indentation);

}  // namespace takt::idl::format
