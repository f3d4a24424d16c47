#include "mast/tokens.h"

#include <cstdio>

namespace takt::scheduling::mast {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool continues_word(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '.'; }

// Whether `text` has the form of `pattern`, where 9 stands for any digit.
bool matches(std::string_view text, std::string_view pattern) {
  if (text.size() != pattern.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (pattern[i] == '9' ? !is_digit(text[i]) : lower(text.substr(i, 1)) != pattern.substr(i, 1))
      return false;
  return true;
}

bool is_date(std::string_view text) {
  return matches(text, "9999-99-99") || matches(text, "9999-99-99t99:99") ||
         matches(text, "9999-99-99t99:99:99");
}

// The number of digits at the beginning.
std::size_t digits(std::string_view text) {
  std::size_t count = 0;
  while (count < text.size() && is_digit(text[count])) ++count;
  return count;
}

bool is_number(std::string_view text) {
  const auto skip_sign = [&] {
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  };
  const auto skip_digits = [&] {
    const std::size_t count = digits(text);
    text.remove_prefix(count);
    return count > 0;
  };
  skip_sign();
  if (!skip_digits()) return false;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (!skip_digits()) return false;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    skip_sign();
    if (!skip_digits()) return false;
  }
  return text.empty();
}

// A character for a message.
std::string shown(char c) {
  if (c > ' ' && c <= '~') return std::string("'") + c + "'";
  char text[16];
  std::snprintf(text, sizeof text, "octet 0x%02x", static_cast<unsigned char>(c));
  return text;
}

}  // namespace

std::string describe(Token::Kind kind) {
  using enum Token::Kind;
  switch (kind) {
    case word:
      return "a name";
    case number:
      return "a number";
    case date:
      return "a date";
    case open:
      return "'('";
    case close:
      return "')'";
    case arrow:
      return "'=>'";
    case comma:
      return "','";
    case semicolon:
      return "';'";
    case end:
      break;
  }
  return "the end of the file";
}

std::string describe(const Token& token) {
  return token.text.empty() ? describe(token.kind) : "'" + token.text + "'";
}

void Tokens::step() {
  if (text_[at_] == '\n') {
    ++place_.line;
    place_.column = 1;
  } else {
    ++place_.column;
  }
  ++at_;
}

void Tokens::skip_blanks() {
  while (at_ < text_.size()) {
    if (at_comment()) {
      while (at_ < text_.size() && text_[at_] != '\n') step();
      continue;
    }
    const char c = text_[at_];
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r') return;
    step();
  }
}

Token Tokens::word() {
  Token token{Token::Kind::word, place_, {}};
  for (; at_ < text_.size() && continues_word(text_[at_]); step()) {
    if (token.text.size() == longest_name)
      throw Wrong{token.at, "the name is longer than " + std::to_string(longest_name) + " characters"};
    token.text += text_[at_];
  }
  return token;
}

Token Tokens::quoted_word() {
  const Place begin = place_;
  step();
  Token token{Token::Kind::word, begin, {}};
  if (at_ < text_.size() && is_letter(text_[at_])) token.text = word().text;
  if (at_ == text_.size() || text_[at_] != '"' || token.text.empty())
    throw Wrong{begin, "expected a name of letters, digits, '_' and '.' between double quotes"};
  step();
  return token;
}

Token Tokens::number_or_date() {
  Token token{Token::Kind::number, place_, {}};
  constexpr std::size_t longest = 64;
  for (; at_ < text_.size() && !at_comment(); step()) {
    const char c = text_[at_];
    if (!continues_word(c) && c != '+' && c != '-' && c != ':') break;
    if (token.text.size() == longest) throw Wrong{token.at, "the number has too many digits"};
    token.text += c;
  }
  if (is_date(token.text))
    token.kind = Token::Kind::date;
  else if (!is_number(token.text))
    throw Wrong{token.at, "'" + token.text + "' is neither a number, such as 12.5 or 1.25E1, nor a date"};
  return token;
}

Token Tokens::next() {
  using enum Token::Kind;
  skip_blanks();
  if (at_ == text_.size()) return {end, place_, {}};
  const char c = text_[at_];
  if (is_letter(c)) return this->word();
  if (is_digit(c) || c == '+' || c == '-') return number_or_date();
  if (c == '"') return quoted_word();
  const Place begin = place_;
  if (text_.substr(at_, 2) == "=>") {
    step();
    step();
    return {arrow, begin, {}};
  }
  constexpr std::string_view marks = "(),;";
  constexpr Token::Kind kinds[] = {open, close, comma, semicolon};
  const auto mark = marks.find(c);
  if (mark == marks.npos) throw Wrong{begin, shown(c) + " has no meaning in a MAST model"};
  step();
  return {kinds[mark], begin, {}};
}

}  // namespace takt::scheduling::mast
