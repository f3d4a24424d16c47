// Writes generated text line by line.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace takt::idl::cpp {

// Appends to its own text. The printed text is a template: $name stands for a value.
class Writer {
 public:
  using Values = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  // Prints one or more lines, each indented. A line that its values leave empty is dropped.
  void print(std::string_view text, Values values = {});
  // Prints an empty line, unless there is one already or a block has just begun.
  void blank();
  void indent(int columns) { indent_ += columns; }

  const std::string& text() const { return text_; }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  int indent_ = 0;
};

}  // namespace takt::idl::cpp
