// Captures standard error while this object exists.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <sstream>
#include <string>

namespace feature {

// Read it once, after all threads that may write have ended.
class Caught {
 public:
  Caught() : before_(std::cerr.rdbuf(text_.rdbuf())) {}
  ~Caught() { std::cerr.rdbuf(before_); }
  Caught(const Caught&) = delete;
  Caught& operator=(const Caught&) = delete;

  std::string text() const { return text_.str(); }
  bool has(const std::string& part) const { return text().find(part) != std::string::npos; }
  std::size_t lines() const {
    const std::string all = text();
    return static_cast<std::size_t>(std::ranges::count(all, '\n'));
  }

 private:
  std::ostringstream text_;
  std::streambuf* const before_;
};

}  // namespace feature
