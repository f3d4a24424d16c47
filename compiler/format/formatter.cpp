#include "format/formatter.h"

#include <utility>
#include <vector>

#include "format/lines.h"

namespace takt::idl::format {

namespace {

// Knows whether the pieces of a statement so far are complete annotations only.
class Annotations {
 public:
  void begin() { state_ = State::beginning; }
  void add(const Piece& piece) {
    if (state_ == State::other) return;
    if (state_ == State::arguments) {
      open_ += piece.is("(");
      open_ -= piece.is(")");
      if (open_ == 0) state_ = State::complete;
    } else {
      state_ = after(piece);
    }
  }
  bool are_complete() const { return state_ == State::name || state_ == State::complete; }

 private:
  enum class State : std::uint8_t { beginning, at, name, arguments, complete, other };

  State after(const Piece& piece) {
    if (piece.is("@")) return state_ == State::at ? State::other : State::at;
    if (piece.is("::")) return state_ == State::at || state_ == State::name ? State::at : State::other;
    if (state_ == State::at) return piece.kind == PieceKind::word ? State::name : State::other;
    if (state_ != State::name || !piece.is("(")) return State::other;
    open_ = 1;
    return State::arguments;
  }

  State state_ = State::beginning;
  int open_ = 0;
};

class Layout {
 public:
  Layout(const std::vector<Piece>& pieces, const Style& style) : pieces_(pieces), lines_(style) {}

  std::string run() {
    for (at_ = 0; at_ < pieces_.size(); ++at_) {
      const Piece& piece = pieces_[at_];
      if (piece.kind == PieceKind::directive)
        directive(piece);
      else if (piece.is_comment())
        comment(piece);
      else
        code(piece);
    }
    lines_.end_statement(depth());
    return lines_.take();
  }

 private:
  enum class Block : std::uint8_t { declarations, list };

  std::size_t depth() const { return blocks_.size(); }
  void add(const Piece& piece) {
    if (lines_.pieces().empty()) annotations_.begin();
    lines_.add(piece);
    annotations_.add(piece);
  }
  bool in_list() const { return !blocks_.empty() && blocks_.back() == Block::list; }
  bool is_last() const { return at_ + 1 == pieces_.size(); }
  bool ends_its_line() const { return is_last() || pieces_[at_ + 1].breaks_before > 0; }

  void empty_line_before(const Piece& piece) {
    if (piece.breaks_before > 1) lines_.add_empty_line();
  }

  // Each branch of a conditional begins with the blocks that were open at the #if.
  void directive(const Piece& piece) {
    lines_.interrupt(depth());
    if (!lines_.has_statement()) empty_line_before(piece);
    const std::size_t word = piece.text.find_first_not_of("# \t");
    const std::string_view rest = word == std::string_view::npos ? "" : piece.text.substr(word);
    if (rest.starts_with("if")) {
      conditionals_.push_back(blocks_);
    } else if (rest.starts_with("el")) {
      if (!conditionals_.empty()) blocks_ = conditionals_.back();
    } else if (rest.starts_with("endif")) {
      if (!conditionals_.empty()) conditionals_.pop_back();
    }
    lines_.add_directive(piece);
  }

  void comment(const Piece& piece) {
    const bool follows = at_ > 0 && piece.breaks_before == 0 && pieces_[at_ - 1].kind != PieceKind::directive;
    if (piece.kind == PieceKind::block_comment && !ends_its_line() &&
        piece.text.find('\n') == std::string_view::npos && pieces_[at_ + 1].kind != PieceKind::directive)
      return inside(piece);
    if (!follows) {
      lines_.interrupt(depth());
      if (!lines_.has_statement()) empty_line_before(piece);
      return lines_.add_comment(piece, depth());
    }
    lines_.interrupt(depth());
    lines_.add_trailing(piece);
  }

  // A comment within a statement, with code after it on the line.
  void inside(const Piece& piece) {
    if (!lines_.has_statement()) empty_line_before(piece);
    add(piece);
  }

  void code(const Piece& piece) {
    if (piece.is("}") && !is_flat_) return close(piece);
    if (!lines_.has_statement()) empty_line_before(piece);
    if (begins_line_of_its_own(piece)) lines_.end_statement(depth());
    add(piece);
    if (piece.is("(")) ++parentheses_;
    if (piece.is(")") && parentheses_ > 0) --parentheses_;
    if (piece.is("{") && !is_flat_) return open();
    if (piece.is("}")) is_flat_ = false;
    if (!ends_statement(piece)) return;
    lines_.end_statement(depth());
    parentheses_ = 0;
    is_flat_ = false;
  }

  // Code that the author has put on a new line after annotations or a closed block.
  bool begins_line_of_its_own(const Piece& piece) const {
    if (piece.breaks_before == 0 || piece.is(";") || is_flat_) return false;
    return (!lines_.pieces().empty() && annotations_.are_complete()) || is_closed();
  }
  bool ends_statement(const Piece& piece) const {
    if (piece.is(",")) return in_list() && parentheses_ == 0 && !is_flat_;
    return piece.is(";") || (piece.is(":") && at_label_end());
  }

  // Whether a block was just closed and nothing has followed it.
  bool is_closed() const { return lines_.pieces().size() == 1 && lines_.pieces().front().is("}"); }

  // Whether a case label ends here and another label follows.
  bool at_label_end() const {
    if (is_last() || parentheses_ > 0) return false;
    const Piece& first = lines_.pieces().front();
    const Piece& next = pieces_[at_ + 1];
    return (first.is("case") || first.is("default")) && (next.is("case") || next.is("default"));
  }

  void open() {
    const bool is_list = begins_list();
    if (is_list && fits()) {
      is_flat_ = true;
      return;
    }
    lines_.end_statement(depth());
    lines_.open_block();
    blocks_.push_back(is_list ? Block::list : Block::declarations);
    parentheses_ = 0;
  }

  void close(const Piece& piece) {
    lines_.end_statement(depth());
    if (!blocks_.empty()) blocks_.pop_back();
    add(piece);
    parentheses_ = 0;
  }

  bool begins_list() const {
    for (const Piece& piece : lines_.pieces())
      if (piece.is("enum") || piece.is("bitmask")) return true;
    return false;
  }

  // Whether the list that begins here, up to the `;` after it, fits on this line.
  bool fits() const {
    std::vector<Piece> whole = lines_.pieces();
    std::size_t octets = depth() * lines_.style().indent;
    for (std::size_t i = at_ + 1; i < pieces_.size(); ++i) {
      const Piece& piece = pieces_[i];
      octets += piece.text.size();
      if (piece.is_comment() || piece.kind == PieceKind::directive || piece.is("{")) return false;
      if (octets > lines_.style().width) return false;
      whole.push_back(piece);
      if (piece.is("}")) break;
    }
    const std::size_t width = Lines::width_of(whole) + 1 + depth() * lines_.style().indent;
    return whole.back().is("}") && width <= lines_.style().width;
  }

  const std::vector<Piece>& pieces_;
  Lines lines_;
  std::vector<Block> blocks_;
  std::vector<std::vector<Block>> conditionals_;  // the open blocks at each #if
  std::size_t at_ = 0;
  Annotations annotations_;  // in the statement that lines_ has
  int parentheses_ = 0;
  bool is_flat_ = false;  // inside a list that is kept on one line
};

// A piece's text without the parts that formatting may change.
std::string essence(const Piece& piece) {
  std::string text;
  const bool is_free = piece.is_comment() || piece.kind == PieceKind::directive;
  for (std::size_t i = 0; i < piece.text.size(); ++i) {
    const char c = piece.text[i];
    if (!is_free || (c != ' ' && c != '\t' && c != '\f' && c != '\v')) text += c;
  }
  return text;
}

// A safeguard against faults of the formatter: the result must have the same pieces as the input.
std::expected<void, Unfit> check(const std::vector<Piece>& before, std::string_view result) {
  const auto after = pieces_of(result);
  const auto wrong = [](std::uint32_t line) {
    return std::unexpected(
        Unfit{line, "formatting would change more than blanks, so the file is not changed"});
  };
  if (!after) return wrong(after.error().line);
  for (std::size_t i = 0; i < before.size(); ++i)
    if (i >= after->size() || before[i].kind != (*after)[i].kind ||
        essence(before[i]) != essence((*after)[i]))
      return wrong(before[i].line);
  if (after->size() != before.size()) return wrong(before.empty() ? 1 : before.back().line);
  return {};
}

std::string with_unix_line_ends(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n') out += text[i];
  return out;
}

}  // namespace

std::expected<std::string, Unfit> formatted(std::string_view text, const Style& style) {
  if (text.find('\0') != std::string_view::npos)
    return std::unexpected(Unfit{1, "the file has a NUL octet, so it is not IDL"});
  const std::string input = with_unix_line_ends(text);
  const auto pieces = pieces_of(input);
  if (!pieces) return std::unexpected(pieces.error());
  std::string result = Layout(*pieces, style).run();
  if (const auto same = check(*pieces, result); !same) return std::unexpected(same.error());
  return result;
}

}  // namespace takt::idl::format
