// Whether a blank stands between two pieces of a line.
#pragma once

#include <vector>

#include "format/pieces.h"

namespace takt::idl::format {

// Is told the pieces of a statement in order, and knows where templates and labels begin and end.
class Spacing {
 public:
  // Whether there is a blank before `next`; false for the first of a statement.
  bool before(const Piece& next);
  // A statement ends.
  void reset() { *this = Spacing(); }

  // Whether the pieces so far are inside of parentheses, brackets or a template.
  bool is_inside() const { return parentheses_ > 0 || !templates_.empty(); }

 private:
  bool decide(const Piece& next) const;
  bool between_operators(const Piece& next) const;
  bool closes_template(const Piece& piece) const;
  void take(const Piece& piece);

  Piece last_{};
  bool has_last_ = false, last_is_unary_ = false, last_closes_ = false, is_label_ = false;
  int parentheses_ = 0;
  std::vector<int> templates_;  // parentheses outside of each that is open
};

}  // namespace takt::idl::format
