// The part of the memory of all queries that one query takes.
#pragma once

#include <cstddef>

#include <takt/base/memory_budget.h>

namespace takt::trading {

// Belongs to one query. Takes no more than it leaves free, so that a few large queries leave room for small
// ones. Gives back what it has taken when it ends.
class QueryShare {
 public:
  explicit QueryShare(MemoryBudget& all) : all_(all) {}
  ~QueryShare() { all_.give_back(taken_bytes_); }
  QueryShare(const QueryShare&) = delete;
  QueryShare& operator=(const QueryShare&) = delete;

  // False, and nothing is taken, if there is no room.
  [[nodiscard]] bool take(std::size_t bytes) {
    const std::size_t taken = all_.taken_bytes(), limit = all_.limit_bytes();
    if (taken > limit || bytes > limit - taken || taken_bytes_ + bytes > limit - taken - bytes) return false;
    if (!all_.take(bytes)) return false;
    taken_bytes_ += bytes;
    return true;
  }

 private:
  MemoryBudget& all_;
  std::size_t taken_bytes_ = 0;
};

}  // namespace takt::trading
