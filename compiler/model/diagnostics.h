// What the compiler has to say about its input.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/model.h"

namespace takt::idl {

// Collects, then prints as a good compiler does: file, line and column, the line, a caret below. After
// max_errors nothing more is taken, so that one mistake cannot fill the screen.
class Diagnostics {
 public:
  static constexpr std::size_t max_errors = 50;

  void error(Location at, std::string text);
  // Says more about the error before it, as where the earlier declaration is.
  void note(Location at, std::string text);
  void warning(Location at, std::string text);

  bool failed() const { return errors_ != 0; }
  bool full() const { return errors_ >= max_errors; }
  std::size_t errors() const { return errors_; }
  // `files` name the locations.
  void print(std::ostream& out, const std::vector<File>& files) const;
  // The text of a line, for the caret; the view stays valid as long as the source.
  void know_line(std::uint32_t file, std::uint32_t line, std::string_view text);

 private:
  struct Entry {
    const char* severity;
    Location at;
    std::string text;
  };
  static std::uint64_t key(std::uint32_t file, std::uint32_t line) {
    return std::uint64_t{file} << 32 | line;
  }

  std::vector<Entry> entries_;
  std::unordered_map<std::uint64_t, std::string_view> lines_;
  std::size_t errors_ = 0;
  bool muted_ = false;  // notes of an error that was not taken
};

}  // namespace takt::idl
