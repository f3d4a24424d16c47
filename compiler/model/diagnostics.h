// The compiler's errors, warnings and notes about its input.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/model.h"

namespace takt::idl {

// Collects messages and prints each with file, line, column, the source line and a caret. Drops messages
// after max_errors errors, so that one mistake cannot fill the screen.
class Diagnostics {
 public:
  static constexpr std::size_t max_errors = 50;

  // `strict`: IDL that only earlier versions of the language allowed is an error.
  explicit Diagnostics(bool strict = false) : strict_(strict) {}

  struct Entry {
    const char* severity;  // "error", "warning", or "note", which belongs to the entry before
    Location at;
    std::string text;
  };
  const std::vector<Entry>& entries() const { return entries_; }

  void error(Location at, std::string text);
  // Adds detail to the previous error, such as the place of an earlier declaration.
  void note(Location at, std::string text);
  void warning(Location at, std::string text);
  // Reports IDL that an earlier version of the language allowed: a warning, or an error if strict.
  void outdated(Location at, std::string text);

  bool failed() const { return errors_ != 0; }
  bool full() const { return errors_ >= max_errors; }
  std::size_t errors() const { return errors_; }
  // `files` has the names for the file numbers of locations.
  // `paint` gives the words "error", "warning" and "note" their colours; null: none.
  using Paint = std::string (*)(const std::string& severity);
  void print(std::ostream& out, const std::vector<File>& files, Paint paint = nullptr) const;
  // Stores a source line to print with messages. The view must stay valid until print().
  void know_line(std::uint32_t file, std::uint32_t line, std::string_view text);

 private:
  static std::uint64_t key(std::uint32_t file, std::uint32_t line) {
    return std::uint64_t{file} << 32 | line;
  }

  std::vector<Entry> entries_;
  std::unordered_map<std::uint64_t, std::string_view> lines_;
  std::size_t errors_ = 0;
  const bool strict_;
  bool muted_ = false;  // the previous error was dropped, so its notes are too
};

}  // namespace takt::idl
