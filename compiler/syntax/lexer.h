// Splits IDL into tokens (IDL 4.2, 7.2).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/diagnostics.h"
#include "model/model.h"

namespace takt::idl {

enum class TokenKind : std::uint8_t {
  end,
  identifier,  // keywords too
  integer,
  floating,
  fixed,
  character,
  wide_character,
  string,
  wide_string,
  punctuation,  // `::`, `<<` and `>>` are one token each
  pragma,       // text: after "#pragma"
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;  // as written; escaped identifiers without the underscore
  Location at;
  bool escaped = false;
  UInt128 integer = 0;
  std::string octets;   // character and string
  std::u32string wide;  // wide character and wide string

  bool is(std::string_view punctuation) const {
    return kind == TokenKind::punctuation && text == punctuation;
  }
};

// Reads preprocessed text. Line markers (`# 12 "file"` or `#line`) give the locations. `text` must outlive
// the lexer and its tokens.
class Lexer {
 public:
  Lexer(std::string_view text, Unit& unit, Diagnostics& diagnostics);
  Token next();

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  void begin_line();
  bool skip_blank();
  bool skip_comment();
  bool directive(Token& pragma);
  void enter_file(std::string_view spelling, bool first_line);
  std::string path_of(std::string_view spelling) const;
  std::uint32_t file_number(std::string name);
  void line_marker(std::string_view line);
  Location here() const;
  Token identifier();
  // Whether only blanks precede the current character on its line.
  bool begins_line() const;
  // False: the current character is no punctuation.
  bool punctuation(Token& token);
  void skip_unknown();
  Token number();
  void skip_hexadecimal(const Token& token);
  // Sets the kind of number.
  void skip_decimal(Token& token);
  void set_integer(Token& token, std::string_view digits, int base);
  Token quoted(bool wide);
  char32_t quoted_character(bool wide);
  bool escape(char32_t& character, bool wide);
  char32_t utf_8(char32_t lead);
  void literal_error(const Token& token, std::string text);

  std::string_view text_;
  Unit& unit_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t file_ = 0, line_ = 1;
  std::string_view main_name_;
  struct Included {
    std::string_view spelling;  // in line markers
    std::uint32_t file;
  };
  std::vector<Included> included_;  // from the main file to the one being read
};

}  // namespace takt::idl
