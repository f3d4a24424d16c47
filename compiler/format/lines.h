// Puts pieces on lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "format/formatter.h"
#include "format/pieces.h"

namespace takt::idl::format {

// The text so far, and the statement that is being read. A statement that a comment or a directive
// interrupts continues behind it, indented by two more levels.
class Lines {
 public:
  explicit Lines(const Style& style) : style_(style) {}

  void add(const Piece& piece);
  // Ends the statement, and with it the line.
  void end_statement(std::size_t depth);
  // Writes what there is of the statement, which goes on in the next line.
  void interrupt(std::size_t depth);

  // Behind what stands in the last line.
  void add_trailing(const Piece& comment);
  void add_comment(const Piece& comment, std::size_t depth);
  void add_directive(const Piece& directive);
  // Unless a block has just been opened, or nothing is written yet.
  void add_empty_line();
  // The next line is the first of a block.
  void open_block() { opened_ = true; }

  bool has_statement() const { return !statement_.empty() || is_continued_; }
  bool has_pieces() const { return !statement_.empty(); }
  const std::vector<Piece>& pieces() const { return statement_; }
  std::string take() { return std::move(text_); }
  // How wide the pieces are on one line, with the blanks between them.
  static std::size_t width_of(const std::vector<Piece>& pieces);
  const Style& style() const { return style_; }

 private:
  std::string indentation(std::size_t depth) const;
  void write(std::string_view line);
  void write_statement(std::size_t depth);

  const Style& style_;
  std::string text_;
  std::vector<Piece> statement_;
  bool is_continued_ = false;  // the statement began in lines that are written
  bool opened_ = true;
};

// Without blanks at the ends of its lines; a block comment whose lines begin with * has them below each
// other.
std::string tidy_comment(std::string_view comment, std::string_view indentation);

}  // namespace takt::idl::format
