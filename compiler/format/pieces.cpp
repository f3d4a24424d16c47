#include "format/pieces.h"

#include <algorithm>
#include <cctype>

namespace takt::idl::format {

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_quote(char c) { return c == '"' || c == '\''; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Cutter {
 public:
  explicit Cutter(std::string_view text) : text_(text) {}

  std::vector<Piece> run() {
    while (skip_blanks()) {
      Piece piece;
      piece.line = line_;
      piece.breaks_before = breaks_;
      piece.space_before = at_ != end_of_last_;
      const std::size_t start = at_;
      piece.kind = take();
      piece.text = text_.substr(start, at_ - start);
      breaks_ = 0;
      end_of_last_ = at_;
      line_ += static_cast<std::uint32_t>(std::ranges::count(piece.text, '\n'));
      pieces_.push_back(piece);
    }
    return std::move(pieces_);
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  [[noreturn]] void fail(const char* text) const { throw Unfit{line_, text}; }

  bool skip_blanks() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n')
        ++breaks_, ++line_;
      else if (c != ' ' && c != '\t' && c != '\f' && c != '\v')
        return true;
    }
    return false;
  }

  bool begins_line() const { return pieces_.empty() || breaks_ > 0; }

  PieceKind take() {
    const char c = peek();
    const std::string_view two = text_.substr(at_, 2);
    if (c == '#' && begins_line()) return directive();
    if (two == "//") return line_comment();
    if (two == "/*") return block_comment();
    if (is_quote(c)) return literal();
    if (c == 'L' && is_quote(peek(1))) return ++at_, literal();
    if (is_digit(c == '.' ? peek(1) : c)) return number();
    if (is_word(c)) return word();
    if (two == "\\\n") fail("a backslash continues this line outside a directive");
    at_ += two == "::" || two == "<<" || two == ">>" ? 2 : 1;
    return PieceKind::punctuation;
  }

  PieceKind word() {
    while (is_word(peek())) ++at_;
    return PieceKind::word;
  }

  PieceKind number() {
    while (is_word(peek()) || peek() == '.' ||
           ((peek() == '+' || peek() == '-') && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E')))
      ++at_;
    return PieceKind::number;
  }

  PieceKind literal() {
    const char quote = peek();
    for (++at_; peek() != quote; ++at_) {
      if (at_ >= text_.size() || peek() == '\n') fail("a string or character does not end on its line");
      if (peek() == '\\' && at_ + 1 < text_.size()) ++at_;
    }
    ++at_;
    return PieceKind::literal;
  }

  // A backslash at the end of a line continues a comment too.
  PieceKind line_comment() {
    for (; at_ < text_.size(); ++at_)
      if (peek() == '\n' && text_[at_ - 1] != '\\') break;
    return PieceKind::line_comment;
  }

  PieceKind block_comment() {
    const std::size_t end = text_.find("*/", at_ + 2);
    if (end == std::string_view::npos) fail("a comment does not end");
    at_ = end + 2;
    return PieceKind::block_comment;
  }

  // Reads to the end of the directive's last line: backslashes and block comments continue it.
  void directive_line() {
    while (at_ < text_.size() && peek() != '\n') {
      const char c = peek();
      if (c == '\\' && peek(1) == '\n') {
        at_ += 2;
      } else if (c == '/' && peek(1) == '*') {
        block_comment();
      } else if (c == '/' && peek(1) == '/') {
        line_comment();
      } else if (const std::size_t end =
                     c == '"' ? text_.find_first_of("\"\n", at_ + 1) : std::string_view::npos;
                 end != std::string_view::npos && text_[end] == '"') {
        at_ = end + 1;
      } else {
        ++at_;
      }
    }
  }

  // The word of the directive that begins here, such as `if`.
  std::string_view directive_word() const {
    std::size_t start = at_ + 1;
    while (start < text_.size() && (text_[start] == ' ' || text_[start] == '\t')) ++start;
    std::size_t end = start;
    while (end < text_.size() && is_word(text_[end])) ++end;
    return text_.substr(start, end - start);
  }

  bool is_if_zero() const {
    if (directive_word() != "if") return false;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string rest;
    for (const char c : text_.substr(at_, end - at_))
      if (c != ' ' && c != '\t') rest += c;
    return rest == "#if0";
  }

  // Reads the text that `#if 0` excludes, which is kept unchanged. It ends before the matching #else, #elif
  // or #endif.
  void left_out() {
    int depth = 1;
    while (at_ < text_.size()) {
      const std::size_t line = at_ + 1;
      std::size_t next = line;
      while (next < text_.size() && (text_[next] == ' ' || text_[next] == '\t')) ++next;
      if (next < text_.size() && text_[next] == '#') {
        const std::size_t back = at_;
        at_ = next;
        const std::string_view word = directive_word();
        depth += word.starts_with("if");
        depth -= word == "endif";
        if (depth == 0 || (depth == 1 && (word == "else" || word == "elif"))) {
          at_ = back;
          return;
        }
      }
      at_ = std::min(text_.find('\n', next), text_.size());
    }
  }

  PieceKind directive() {
    const bool leaves_out = is_if_zero();
    directive_line();
    if (leaves_out) left_out();
    return PieceKind::directive;
  }

  std::string_view text_;
  std::vector<Piece> pieces_;
  std::size_t at_ = 0, end_of_last_ = 0;
  std::uint32_t line_ = 1, breaks_ = 0;
};

}  // namespace

std::expected<std::vector<Piece>, Unfit> pieces_of(std::string_view text) {
  try {
    return Cutter(text).run();
  } catch (const Unfit& unfit) {
    return std::unexpected(unfit);
  }
}

}  // namespace takt::idl::format
