// Decides whether a blank separates two pieces on a line.
#pragma once

#include <vector>

#include "format/pieces.h"

namespace takt::idl::format {

// Gets the pieces of a statement in order, and tracks where templates and labels begin and end.
class Spacing {
 public:
  // Whether a blank stands before `next`; false for the first piece of a statement.
  bool before(const Piece& next);

 private:
  bool decide(const Piece& next) const;
  bool before_scope(const Piece& next) const;
  bool before_parenthesis() const;
  bool between_operators(const Piece& next) const;
  bool closes_template(const Piece& piece) const;
  // Inside parentheses, brackets or a template.
  bool is_inside() const { return parentheses_ > 0 || !templates_.empty(); }
  bool last_is_operand() const;
  void take(const Piece& piece);

  Piece last_{};
  bool has_last_ = false, last_is_unary_ = false, last_closes_ = false, is_label_ = false;
  int parentheses_ = 0;
  std::vector<int> templates_;  // open parentheses outside each open template
};

}  // namespace takt::idl::format
