// The tokens of a MAST model.
#pragma once

#include <string>
#include <string_view>

#include "mast/syntax.h"

namespace takt::scheduling::mast {

struct Token {
  enum class Kind { word, number, date, open, close, arrow, comma, semicolon, end };
  Kind kind = Kind::end;
  Place at;
  std::string text;
};

// "'=>'", "a word" and so on, for messages.
std::string describe(Token::Kind kind);
std::string describe(const Token& token);

class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) {}
  // After the last token it returns `end` again and again.
  Token next();

 private:
  void skip_blanks();
  void step();
  bool at_comment() const { return text_.substr(at_, 2) == "--"; }
  Token word();
  Token quoted_word();
  Token number_or_date();

  std::string_view text_;
  std::size_t at_ = 0;
  Place place_;
};

}  // namespace takt::scheduling::mast
