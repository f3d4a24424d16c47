// Generated text, line by line.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace takt::idl::cpp {

// Appends to a text that it owns. What it prints are templates: $name stands for a value.
class Writer {
 public:
  using Values = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  // One or more lines, each indented; a line that is empty apart from its values stays out.
  void print(std::string_view text, Values values = {});
  // An empty line, unless there is one already or a block has just begun.
  void blank();
  void indent(int columns) { indent_ += columns; }

  const std::string& text() const { return text_; }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  int indent_ = 0;
};

}  // namespace takt::idl::cpp
