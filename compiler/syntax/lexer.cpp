#include "syntax/lexer.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace takt::idl {

namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
// Also letters that no name may have, so that the name is read as one.
bool begins_name(char c) { return is_letter(c) || !is_ascii(c); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_quote(char c) { return c == '"' || c == '\''; }
bool is_hexadecimal(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

std::size_t first_not_ascii(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, is_ascii) - text.begin());
}

// Allowed in all literals, so that one mistake causes one error.
constexpr char32_t in_place_of_a_wrong_one = U'?';

int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  return std::tolower(static_cast<unsigned char>(c)) - 'a' + 10;
}

constexpr char32_t first_high = 0xd800, first_low = 0xdc00, after_low = 0xe000;
bool is_surrogate(char32_t c) { return c >= first_high && c < after_low; }

// A pair of surrogates, as in UTF-16, becomes the character that it means.
void append_wide(std::u32string& text, char32_t c) {
  const bool is_low = c >= first_low && c < after_low;
  if (is_low && !text.empty() && text.back() >= first_high && text.back() < first_low)
    text.back() = 0x10000 + ((text.back() - first_high) << 10) + (c - first_low);
  else
    text.push_back(c);
}

}  // namespace

Lexer::Lexer(std::string_view text, Unit& unit, Diagnostics& diagnostics)
    : text_(text), unit_(unit), diagnostics_(diagnostics) {
  if (unit_.files.empty()) unit_.files.push_back({"<input>", true});
  begin_line();
}

void Lexer::begin_line() {
  line_start_ = at_;
  const std::size_t end = text_.find('\n', at_);
  std::string_view line = text_.substr(at_, (end == std::string_view::npos ? text_.size() : end) - at_);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  const bool marker = line.starts_with("#line ") || line.starts_with("# ");  // inserted by the preprocessor
  if (!line.empty() && !marker) diagnostics_.know_line(file_, line_, line);
}

Location Lexer::here() const { return {file_, line_, static_cast<std::uint32_t>(at_ - line_start_ + 1)}; }

bool Lexer::skip_comment() {
  if (peek() != '/' || (peek(1) != '/' && peek(1) != '*')) return false;
  if (peek(1) == '/') {
    at_ = std::min(text_.find('\n', at_), text_.size());
    return true;
  }
  const Location start = here();
  for (at_ += 2; at_ < text_.size(); ++at_) {
    if (peek() == '*' && peek(1) == '/') {
      at_ += 2;
      return true;
    }
    if (peek() == '\n') {
      ++line_;
      line_start_ = at_ + 1;
    }
  }
  diagnostics_.error(start, "this comment does not end");
  return true;
}

bool Lexer::skip_blank() {
  if (peek() == '\n') {
    ++at_;
    ++line_;
    begin_line();
    return true;
  }
  if (is_blank(peek())) {
    ++at_;
    return true;
  }
  return skip_comment();
}

void Lexer::line_marker(std::string_view line) {
  std::size_t i = 0;
  std::uint32_t number = 0;
  while (i < line.size() && is_blank(line[i])) ++i;
  while (i < line.size() && is_digit(line[i]) && number < 100000000)
    number = number * 10 + static_cast<std::uint32_t>(line[i++] - '0');
  const std::size_t open = line.find('"', i), close = line.rfind('"');
  line_ = number ? number - 1 : 0;  // the line break that follows increments it
  if (open == std::string_view::npos || close <= open) return;
  enter_file(line.substr(open + 1, close - open - 1), number == 1);
}

// The preprocessor names a file that is beside its includer as the #include spells it, without a folder. The
// path comes from the files that are being read: the first line of an included file adds one, and a later
// line returns to an outer one.
void Lexer::enter_file(std::string_view spelling, bool first_line) {
  constexpr std::size_t deepest = 512;  // more than the preprocessor nests
  // The first marker names the main file; the preprocessor makes that name absolute.
  if (main_name_.empty()) main_name_ = spelling;
  if (spelling == main_name_) {
    included_.assign(1, {spelling, 0});
    file_ = 0;
    return;
  }
  while (!first_line && included_.size() > 1) {
    if (included_.back().spelling == spelling) {
      file_ = included_.back().file;
      return;
    }
    included_.pop_back();
  }
  file_ = file_number(path_of(spelling));
  if (included_.size() < deepest) included_.push_back({spelling, file_});
}

std::string Lexer::path_of(std::string_view spelling) const {
  const std::filesystem::path path(spelling);
  if (spelling.starts_with('<') || path.is_absolute() || included_.empty()) return std::string(spelling);
  const std::filesystem::path includer(unit_.files[included_.back().file].name);
  return (includer.parent_path() / path).lexically_normal().string();
}

std::uint32_t Lexer::file_number(std::string name) {
  for (std::uint32_t i = 0; i < unit_.files.size(); ++i)
    if (unit_.files[i].name == name) return i;
  unit_.files.push_back({std::move(name), false});
  return static_cast<std::uint32_t>(unit_.files.size() - 1);
}

// Reads a line that begins with #. True if it is a pragma.
bool Lexer::directive(Token& pragma) {
  pragma.at = here();
  const std::size_t end = std::min(text_.find('\n', at_), text_.size());
  std::string_view line = text_.substr(at_ + 1, end - at_ - 1);
  at_ = end;
  while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
  if (line.starts_with("line")) line.remove_prefix(4);
  if (line.starts_with("pragma")) {
    pragma.kind = TokenKind::pragma;
    pragma.text = line.substr(6);
    return true;
  }
  if (!line.empty() && (is_digit(line.front()) || is_blank(line.front())))
    line_marker(line);
  else if (!line.empty())
    diagnostics_.error(pragma.at, "unknown preprocessor directive");
  return false;
}

Token Lexer::next() {
  for (;;) {
    while (at_ < text_.size() && skip_blank()) {
    }
    const char c = peek();
    Token token;
    token.at = here();
    if (at_ >= text_.size()) return token;
    if (c == '#' && begins_line()) {
      if (directive(token)) return token;
      continue;
    }
    if (c == 'L' && is_quote(peek(1))) return quoted(true);
    if (is_quote(c)) return quoted(false);
    if (begins_name(c)) return identifier();
    if (is_digit(c == '.' ? peek(1) : c)) return number();
    if (punctuation(token)) return token;
    skip_unknown();
  }
}

bool Lexer::begins_line() const {
  return std::ranges::all_of(text_.substr(line_start_, at_ - line_start_), is_blank);
}

bool Lexer::punctuation(Token& token) {
  constexpr std::string_view single = "{}()[]<>,;:=+-*/%|&^~@";
  const std::string_view two = text_.substr(at_, 2);
  const bool is_double = two == "::" || two == "<<" || two == ">>";
  if (!is_double && single.find(peek()) == std::string_view::npos) return false;
  token.kind = TokenKind::punctuation;
  token.text = two.substr(0, is_double ? 2 : 1);
  at_ += token.text.size();
  return true;
}

void Lexer::skip_unknown() {
  const char c = peek();
  diagnostics_.error(here(), c >= 0x20 && c < 0x7f ? std::string("'") + c + "' has no meaning in IDL"
                                                   : "this octet has no meaning in IDL");
  ++at_;
  if (diagnostics_.full()) at_ = text_.size();
}

Token Lexer::identifier() {
  Token token;
  token.kind = TokenKind::identifier;
  token.at = here();
  const std::size_t start = at_;
  while (begins_name(peek()) || is_digit(peek())) ++at_;
  token.text = text_.substr(start, at_ - start);
  if (const std::size_t foreign = first_not_ascii(token.text); foreign != token.text.size()) {
    Location place = token.at;
    place.column += static_cast<std::uint32_t>(foreign);
    diagnostics_.error(place, "a name has letters from A to Z, digits and '_' only, and no such character");
    token.escaped = true;  // no keyword
    return token;
  }
  if (token.text.size() > 1 && token.text.front() == '_') {
    token.escaped = true;
    token.text.remove_prefix(1);
  }
  if (token.text.front() == '_' || is_digit(token.text.front()))
    diagnostics_.error(token.at, "an identifier begins with a letter; one '_' before it is not part of it");
  return token;
}

void Lexer::literal_error(const Token& token, std::string text) {
  diagnostics_.error(token.at, std::move(text));
}

Token Lexer::number() {
  Token token;
  token.kind = TokenKind::integer;
  token.at = here();
  const std::size_t start = at_;
  const bool is_hexadecimal = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
  if (is_hexadecimal)
    skip_hexadecimal(token);
  else
    skip_decimal(token);
  token.text = text_.substr(start, at_ - start);
  if (is_letter(peek())) {
    literal_error(token, "a letter directly follows the number");
    while (is_letter(peek()) || is_digit(peek())) ++at_;
  }
  if (token.kind != TokenKind::integer) return token;
  if (is_hexadecimal)
    set_integer(token, token.text.substr(2), 16);
  else
    set_integer(token, token.text, token.text.size() > 1 && token.text.front() == '0' ? 8 : 10);
  return token;
}

void Lexer::skip_hexadecimal(const Token& token) {
  at_ += 2;
  if (!is_hexadecimal(peek())) literal_error(token, "hexadecimal digits are missing");
  while (is_hexadecimal(peek())) ++at_;
}

void Lexer::skip_decimal(Token& token) {
  while (is_digit(peek())) ++at_;
  if (peek() == '.') {
    token.kind = TokenKind::floating;
    for (++at_; is_digit(peek());) ++at_;
  }
  if (peek() == 'e' || peek() == 'E') {
    token.kind = TokenKind::floating;
    ++at_;
    if (peek() == '+' || peek() == '-') ++at_;
    if (!is_digit(peek())) literal_error(token, "the exponent's digits are missing");
    while (is_digit(peek())) ++at_;
  } else if (peek() == 'd' || peek() == 'D') {
    token.kind = TokenKind::fixed;
    ++at_;
  }
}

void Lexer::set_integer(Token& token, std::string_view digits, int base) {
  for (const char c : digits) {
    if (digit_value(c) >= base) return literal_error(token, "this is not an octal digit");
    token.integer = token.integer * static_cast<unsigned>(base) + static_cast<unsigned>(digit_value(c));
    if (token.integer > UINT64_MAX) {
      token.integer = 0;
      return literal_error(token, "this integer exceeds 18446744073709551615");
    }
  }
}

bool Lexer::escape(char32_t& character, bool wide) {
  constexpr std::string_view names = "ntvbrfa\\?'\"", meanings = "\n\t\v\b\r\f\a\\?'\"";
  const char c = peek();
  if (const std::size_t found = names.find(c); c != '\0' && found != std::string_view::npos) {
    character = static_cast<unsigned char>(meanings[found]);
    ++at_;
    return true;
  }
  int base = 8, most = 3;
  if (c == 'x') base = 16, most = 2;
  if (c == 'u') base = 16, most = 4;
  if (base == 16) ++at_;
  character = 0;
  int count = 0;
  for (; count < most && is_hexadecimal(peek()) && digit_value(peek()) < base; ++count, ++at_)
    character = character * static_cast<unsigned>(base) + static_cast<unsigned>(digit_value(peek()));
  // Skips the digit, so that one mistake causes one error.
  if (count == 0 && base == 8 && peek() != '\n' && at_ < text_.size()) ++at_;
  return count > 0 && (c != 'u' || wide);
}

// Reads the rest of a multi-octet character in a wide literal. Invalid UTF-8 is read as ISO 8859-1.
char32_t Lexer::utf_8(char32_t lead) {
  const std::size_t more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
  char32_t character = lead & (0x3fu >> more);
  for (std::size_t i = 0; i < more; ++i) {
    const auto octet = static_cast<unsigned char>(peek(i));
    if ((octet & 0xc0) != 0x80) return lead;
    character = character << 6 | (octet & 0x3f);
  }
  if (character > 0x10ffff) return lead;
  at_ += more;
  return character;
}

Token Lexer::quoted(bool wide) {
  Token token;
  token.at = here();
  const std::size_t start = at_ + wide;
  at_ = start;
  const char quote = peek();
  const bool is_string = quote == '"';
  if (is_string)
    token.kind = wide ? TokenKind::wide_string : TokenKind::string;
  else
    token.kind = wide ? TokenKind::wide_character : TokenKind::character;
  ++at_;
  while (peek() != quote) {
    if (at_ >= text_.size() || peek() == '\n') {
      literal_error(token,
                    is_string ? "this string does not end on its line" : "this character does not end");
      break;
    }
    const Location place = here();
    const char32_t character = quoted_character(wide);
    if (is_string && character == 0) diagnostics_.error(place, "a string cannot hold the character 0");
    token.octets.push_back(static_cast<char>(character));
    append_wide(token.wide, character);
  }
  if (peek() == quote) ++at_;
  token.text = text_.substr(start, at_ - start);
  if (wide && std::ranges::any_of(token.wide, is_surrogate))
    literal_error(token, "half of a surrogate pair is no character");
  if (!is_string && token.wide.size() != 1) literal_error(token, "a character literal has one character");
  return token;
}

char32_t Lexer::quoted_character(bool wide) {
  const Location place = here();
  char32_t character = static_cast<unsigned char>(peek());
  ++at_;
  if (character == '\\') {
    if (!escape(character, wide)) {
      diagnostics_.error(place, "this escape sequence is not valid here");
      return in_place_of_a_wrong_one;
    }
  } else if (wide && character >= 0xc2) {
    character = utf_8(character);
  }
  if (wide || character <= 0xff) return character;
  diagnostics_.error(place, "this character is above \\xff");
  return in_place_of_a_wrong_one;
}

}  // namespace takt::idl
