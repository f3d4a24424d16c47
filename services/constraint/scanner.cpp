#include "constraint/scanner.h"

#include <algorithm>
#include <charconv>

namespace takt::constraint {
namespace {

constexpr std::string_view reserved[] = {"and", "or", "not", "in", "exist", "default", "TRUE", "FALSE"};
constexpr std::string_view blanks = " \t\r\n\f\v";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

}  // namespace

std::size_t Scanner::position() { return at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size()); }

std::size_t Scanner::word_end(std::size_t begin) const {
  return static_cast<std::size_t>(
      std::find_if_not(text_.begin() + static_cast<std::ptrdiff_t>(begin), text_.end(), is_word) -
      text_.begin());
}

std::size_t Scanner::digits_end(std::size_t begin) const {
  return static_cast<std::size_t>(
      std::find_if_not(text_.begin() + static_cast<std::ptrdiff_t>(begin), text_.end(), is_digit) -
      text_.begin());
}

bool Scanner::take(std::string_view symbol) {
  if (!text_.substr(position()).starts_with(symbol)) return false;
  at_ += symbol.size();
  return true;
}

bool Scanner::take_word(std::string_view word) {
  const auto begin = position();
  if (text_.substr(begin, word_end(begin) - begin) != word) return false;
  at_ += word.size();
  return true;
}

std::optional<std::string> Scanner::take_identifier() {
  const auto begin = position();
  const bool escaped = begin < text_.size() && text_[begin] == '\\';
  const auto first = begin + (escaped ? 1 : 0);
  if (first >= text_.size() || !(is_letter(text_[first]) || text_[first] == '_')) return std::nullopt;
  const auto end = word_end(first);
  const auto word = text_.substr(first, end - first);
  if (!escaped && std::ranges::find(reserved, word) != std::end(reserved)) return std::nullopt;
  at_ = end;
  return std::string(word);
}

std::optional<std::int64_t> Scanner::take_index() {
  const auto begin = position(), end = digits_end(begin);
  std::int64_t number = 0;
  const auto read = std::from_chars(text_.data() + begin, text_.data() + end, number);
  if (begin == end || read.ec != std::errc() || number > (std::int64_t{1} << 62)) return std::nullopt;
  at_ = end;
  return number;
}

std::optional<Value> Scanner::take_number() {
  const auto begin = position();
  const char* const first = text_.data() + begin;
  const char* const last = text_.data() + text_.size();
  if (begin == text_.size() || !(is_digit(*first) || *first == '.')) return std::nullopt;
  std::uint64_t integer = 0;
  const auto as_integer = std::from_chars(first, last, integer);
  long double real = 0;
  const auto as_real = std::from_chars(first, last, real);
  const bool is_integer = as_integer.ec == std::errc() && as_integer.ptr >= as_real.ptr;
  if (!is_integer && as_real.ec != std::errc()) return std::nullopt;
  at_ = static_cast<std::size_t>((is_integer ? as_integer.ptr : as_real.ptr) - text_.data());
  return is_integer ? Value(Integer(integer)) : Value(real);
}

std::optional<std::string> Scanner::take_string() {
  const auto begin = position();
  if (begin == text_.size() || text_[begin] != '\'') return std::nullopt;
  std::string string;
  for (auto at = begin + 1; at < text_.size(); ++at) {
    if (text_[at] == '\'') {
      at_ = at + 1;
      return string;
    }
    const bool escapes =
        text_[at] == '\\' && at + 1 < text_.size() && (text_[at + 1] == '\'' || text_[at + 1] == '\\');
    string += text_[escapes ? ++at : at];
  }
  return std::nullopt;
}

std::string Scanner::shown() {
  const auto begin = position();
  if (begin == text_.size()) return "the end";
  const auto end = std::clamp(word_end(begin), begin + 1, begin + 30);
  return "'" + std::string(text_.substr(begin, std::min(end, text_.size()) - begin)) + "'";
}

}  // namespace takt::constraint
