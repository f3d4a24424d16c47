#include "format/spacing.h"

#include <algorithm>
#include <string_view>

namespace takt::idl::format {

namespace {

bool is_one_of(const Piece& piece, std::string_view characters) {
  return piece.kind == PieceKind::punctuation && piece.text.size() == 1 &&
         characters.find(piece.text.front()) != std::string_view::npos;
}

bool is_operator(const Piece& piece) {
  return is_one_of(piece, "|^&+-*/%=") || piece.is("<<") || piece.is(">>");
}

// Whether there are blanks around the piece.
bool stands_apart(const Piece& piece) { return piece.is_comment() || piece.is("{"); }

// Whether a blank separates the word from its parenthesis.
bool parts_from_parenthesis(const Piece& piece) {
  constexpr std::string_view words[] = {"raises", "context", "getraises", "setraises", "switch", "case"};
  return piece.kind == PieceKind::word && std::ranges::find(words, piece.text) != std::end(words);
}

}  // namespace

// Whether >> closes two templates; else it is a shift.
bool Spacing::closes_template(const Piece& piece) const {
  const auto closes = [this](std::size_t count) {
    return templates_.size() >= count && templates_.back() == parentheses_;
  };
  return (piece.is(">") && closes(1)) || (piece.is(">>") && closes(2));
}

bool Spacing::before(const Piece& next) {
  const bool blank = has_last_ && decide(next);
  take(next);
  return blank;
}

bool Spacing::decide(const Piece& next) const {
  if (stands_apart(next) || stands_apart(last_)) return true;
  if (is_one_of(next, ",;)]") || is_one_of(last_, "([@~") || last_.is("::")) return false;
  if (next.is("::")) return before_scope(next);
  if (closes_template(next)) return last_closes_ && next.space_before;
  if (next.is("<") || last_.is("<") || next.is("[")) return false;
  if (next.is("(")) return before_parenthesis();
  if (next.is(":")) return !is_label_ || is_inside();
  return between_operators(next);
}

// `::` may continue a name or begin one in the global scope, which only the author tells apart.
bool Spacing::before_scope(const Piece& next) const {
  return last_.kind == PieceKind::word || last_.is("<") ? next.space_before : !is_one_of(last_, "<");
}

bool Spacing::before_parenthesis() const {
  if (is_operator(last_)) return !last_is_unary_;
  return parts_from_parenthesis(last_) || is_one_of(last_, ",:");
}

bool Spacing::between_operators(const Piece& next) const {
  if (last_is_unary_) return last_.text == next.text && next.space_before;
  constexpr std::string_view known = "{}()[]<>,;:=+-*/%|^&~@";
  const auto is_unknown = [&](const Piece& piece) {
    return piece.kind == PieceKind::punctuation && piece.text.size() == 1 &&
           known.find(piece.text.front()) == std::string_view::npos;
  };
  if (is_unknown(next) || is_unknown(last_)) return next.space_before;
  return true;
}

bool Spacing::last_is_operand() const {
  if (!has_last_ || last_is_unary_) return false;
  return last_.kind == PieceKind::number || last_.kind == PieceKind::literal ||
         (last_.kind == PieceKind::word && last_.text != "case") || last_.is(")");
}

void Spacing::take(const Piece& piece) {
  last_is_unary_ = is_one_of(piece, "+-~") && !last_is_operand();
  if (!has_last_) is_label_ = piece.is("case") || piece.is("default");
  last_closes_ = closes_template(piece);
  if (last_closes_) templates_.resize(templates_.size() - piece.text.size());
  if (piece.is("<")) templates_.push_back(parentheses_);
  if (is_one_of(piece, "([")) ++parentheses_;
  if (is_one_of(piece, ")]")) --parentheses_;
  if (piece.is(":") && !is_inside()) is_label_ = false;
  last_ = piece;
  has_last_ = true;
}

}  // namespace takt::idl::format
