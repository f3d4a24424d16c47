// The position in a value that is converted, and the budget of the conversion.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "json/context.h"

namespace takt::json {

// The path of the present value, as `.items[3].price` behind the name of the whole.
class Path {
 public:
  Path(std::string whole, const Limits& limits) : text_(std::move(whole)), limits_(limits) {
    if (!text_.empty()) text_ += ": ";
    whole_size_ = text_.size();
  }

  // Goes to a part of the value for its lifetime. Throws a Failure beyond the limits.
  class Step {
   public:
    Step(Path& path, const std::string& part) : path_(path), size_(path.text_.size()) {
      path.enter();
      path.text_ += part;
    }
    ~Step() {
      path_.text_.resize(size_);
      --path_.depth_;
    }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

   private:
    Path& path_;
    std::size_t size_;
  };
  static std::string member(const std::string& name) { return '.' + name; }
  static std::string element(std::size_t index) { return '[' + std::to_string(index) + ']'; }

  [[noreturn]] void fail(const std::string& text) const {
    const bool at_whole = text_.size() == whole_size_ && whole_size_ > 1;
    throw Failure(at_whole ? text_.substr(0, whole_size_ - 2) : text_, text);
  }

 private:
  void enter() {
    if (depth_ == limits_.depth) fail("nested deeper than " + std::to_string(limits_.depth));
    if (++values_ > limits_.values) fail("more than " + std::to_string(limits_.values) + " values");
    ++depth_;
  }

  std::string text_;
  Limits limits_;
  std::size_t whole_size_ = 0, depth_ = 0, values_ = 0;
};

}  // namespace takt::json
