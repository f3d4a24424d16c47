#include "format/lines.h"

#include <algorithm>

#include "format/spacing.h"

namespace takt::idl::format {

namespace {

constexpr std::string_view blanks = " \t\f\v";

std::string_view without_end(std::string_view line) {
  const std::size_t last = line.find_last_not_of(blanks);
  return line.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

std::string_view without_begin(std::string_view line) {
  const std::size_t first = line.find_first_not_of(blanks);
  return first == std::string_view::npos ? std::string_view() : line.substr(first);
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> lines;
  for (;;) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

// Whether a line that is too long may be broken between the two pieces.
bool may_break_before(const Piece& last, const Piece& next) {
  constexpr std::string_view words[] = {"raises", "context", "getraises", "setraises", "supports"};
  if (next.kind == PieceKind::word && std::ranges::find(words, next.text) != std::end(words)) return true;
  if (last.kind == PieceKind::literal && next.kind == PieceKind::literal) return true;
  return last.is(",") || last.is("=") || last.is("|") || last.is("+");
}

}  // namespace

std::string tidy_comment(std::string_view comment, std::string_view indentation) {
  const auto lines = split(comment);
  const bool has_stars = std::all_of(lines.begin() + 1, lines.end(), [](std::string_view line) {
    return without_begin(line).starts_with('*');
  });
  std::string text(without_end(lines.front()));
  for (std::size_t i = 1; i < lines.size(); ++i) {
    text += '\n';
    if (has_stars)
      text.append(indentation).append(" ").append(without_end(without_begin(lines[i])));
    else
      text.append(without_end(lines[i]));
  }
  return text;
}

namespace {

std::string text_of(const Piece& piece) {
  return piece.is_comment() ? tidy_comment(piece.text, "") : std::string(piece.text);
}

}  // namespace

std::string Lines::indentation(std::size_t depth) const { return std::string(depth * style_.indent, ' '); }

void Lines::write(std::string_view line) {
  text_.append(line).append("\n");
  opened_ = false;
}

void Lines::add(const Piece& piece) { statement_.push_back(piece); }

std::size_t Lines::width_of(const std::vector<Piece>& pieces) {
  Spacing spacing;
  std::size_t width = 0;
  for (const Piece& piece : pieces) width += piece.text.size() + spacing.before(piece);
  return width;
}

// Takes the pieces that stay together, from the statement's `next` on, which it moves behind them.
Lines::Part Lines::next_part(std::size_t& next, Spacing& spacing) const {
  Part part{.text = {}, .blank_before = spacing.before(statement_[next])};
  part.text = text_of(statement_[next]);
  for (++next; next < statement_.size() && !may_break_before(statement_[next - 1], statement_[next]); ++next)
    part.text.append(spacing.before(statement_[next]) ? " " : "").append(text_of(statement_[next]));
  return part;
}

// Fills lines, and breaks them after commas and before words such as `raises`.
void Lines::write_statement(std::size_t depth) {
  if (statement_.empty()) return;
  const bool opens = statement_.size() == 1 && statement_.front().is("{");
  std::string line = indentation(depth + (is_continued_ && !opens ? 2 : 0));
  Spacing spacing;
  std::size_t next = 0;
  line += next_part(next, spacing).text;
  while (next < statement_.size()) {
    const Part part = next_part(next, spacing);
    if (line.size() + part.blank_before + part.text.size() > style_.width) {
      write(line);
      line = indentation(depth + 2) + part.text;
    } else {
      line.append(part.blank_before ? " " : "").append(part.text);
    }
  }
  write(line);
  statement_.clear();
}

void Lines::end_statement(std::size_t depth) {
  write_statement(depth);
  is_continued_ = false;
}

void Lines::interrupt(std::size_t depth) {
  const bool had = !statement_.empty();
  write_statement(depth);
  is_continued_ |= had;
}

void Lines::add_trailing(const Piece& comment) {
  if (!text_.empty()) text_.pop_back();
  text_.append("  ").append(tidy_comment(comment.text, "")).append("\n");
}

void Lines::add_comment(const Piece& comment, std::size_t depth) {
  const std::string indent = indentation(depth + (is_continued_ ? 2 : 0));
  write(indent + tidy_comment(comment.text, indent));
}

void Lines::add_directive(const Piece& directive) { write(without_end(directive.text)); }

void Lines::add_empty_line() {
  if (!opened_ && !text_.empty()) text_ += '\n';
}

}  // namespace takt::idl::format
