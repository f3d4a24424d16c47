// Lines of text as takt top shows them.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

namespace takt::command {

// As printf, up to 511 characters.
template <class... Values>
std::string formatted(const char* form, Values... values) {
  char text[512];
  const int length = std::snprintf(text, sizeof text, form, values...);
  return {text, static_cast<std::size_t>(std::clamp(length, 0, static_cast<int>(sizeof text) - 1))};
}

inline std::string short_time(double ns) {
  if (ns < 1e3) return formatted("%.0f ns", ns);
  if (ns < 1e6) return formatted("%.1f us", ns / 1e3);
  if (ns < 1e9) return formatted("%.1f ms", ns / 1e6);
  return formatted("%.1f s", ns / 1e9);
}

// "-" for none.
inline std::string short_time(const std::optional<std::chrono::nanoseconds>& time) {
  return time ? short_time(static_cast<double>(time->count())) : "-";
}

inline std::string short_size(std::uint64_t bytes) {
  constexpr double unit = 1024;
  const auto size = static_cast<double>(bytes);
  if (size < unit) return formatted("%.0f", size);
  if (size < unit * unit) return formatted("%.1f KiB", size / unit);
  return formatted("%.1f MiB", size / unit / unit);
}

// Collects lines of limited length, in which what is not printable ASCII becomes a question mark.
class Lines {
 public:
  explicit Lines(std::size_t columns) : columns_(columns) {}
  void add(const std::string& line) {
    std::string shown = line;
    std::ranges::replace_if(shown, [](char c) { return c < ' ' || c > '~'; }, '?');
    if (columns_ != 0 && shown.size() > columns_) shown.resize(columns_);
    while (shown.ends_with(' ')) shown.pop_back();
    text_ += shown + "\n";
    ++count_;
  }
  // Goes on in a further line where the line is too long, if it can between words.
  void add_wrapped(const std::string& line) {
    std::string left = line;
    while (columns_ != 0 && left.size() > columns_) {
      auto end = left.rfind(' ', columns_);
      if (end == std::string::npos || end == 0) end = left.find(' ', columns_);  // after a long word
      if (end == std::string::npos) break;
      add(left.substr(0, end));
      left.erase(0, end + 1);
    }
    add(left);
  }
  std::size_t columns() const { return columns_; }  // 0: no limit
  std::size_t count() const { return count_; }
  // Whether there is no room for one more and an end in `most` lines; 0: no limit.
  bool is_full(std::size_t most) const { return most != 0 && count_ + 1 >= most; }
  const std::string& text() const { return text_; }
  // The lines for which there is room before an end in `most` lines; 0: all.
  std::string text(std::size_t most) const {
    std::size_t end = 0, lines = 0;
    while (end < text_.size() && (most == 0 || lines + 1 < most)) {
      end = text_.find('\n', end) + 1;
      ++lines;
    }
    return text_.substr(0, end);
  }

 private:
  const std::size_t columns_;
  std::string text_;
  std::size_t count_ = 0;
};

}  // namespace takt::command
