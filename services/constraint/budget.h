// A limit on the work of one evaluation.
#pragma once

#include <cstddef>

namespace takt::constraint {

// The steps that an evaluation may still take.
class Budget {
 public:
  explicit Budget(std::size_t steps) : left_(steps) {}
  // False, from then on, if there are fewer.
  bool spend(std::size_t steps = 1) {
    const bool enough = steps <= left_;
    left_ -= enough ? steps : left_;
    exhausted_ |= !enough;
    return enough;
  }
  bool exhausted() const { return exhausted_; }
  std::size_t left() const { return left_; }

 private:
  std::size_t left_;
  bool exhausted_ = false;
};

}  // namespace takt::constraint
