// The words of a constraint's text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "constraint/expression.h"

namespace takt::constraint {

// Reads from the beginning to the end. Blanks between words are skipped.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::size_t position();  // where the next word begins
  bool at_end() { return position() == text_.size(); }
  // Each takes the next word if it is that, and otherwise leaves it.
  bool take(std::string_view symbol);
  bool take_word(std::string_view word);         // a reserved word, as a whole
  std::optional<std::string> take_identifier();  // a reserved word only after a backslash
  std::optional<std::int64_t> take_index();      // digits; nothing beyond 2^62
  std::optional<Value> take_number();            // without a sign
  std::optional<std::string> take_string();      // in apostrophes; nothing if the second is missing
  // The next word for a message, shortened.
  std::string shown();

 private:
  std::size_t word_end(std::size_t begin) const;
  std::size_t digits_end(std::size_t begin) const;

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace takt::constraint
