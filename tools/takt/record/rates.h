// How often operations are called, and how long they take.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/output.h"
#include "record/passing_calls.h"

namespace takt::command {

// The calls of one interval.
class Rates {
 public:
  void take(const recorder::ReadMessage& message, const PassingCall& call);

  // A line for each operation, the most frequent first. `seconds`: the length of the interval.
  std::string in_words(double seconds) const;
  Json as_json(double seconds) const;

 private:
  struct Operation {
    std::uint64_t requests = 0, replies = 0, exceptions = 0, octets = 0;
    std::vector<std::int64_t> times_ns;  // from requests to replies
  };
  // By the direction of requests, and name.
  using Key = std::pair<recorder::Direction, std::string>;

  std::vector<std::pair<Key, Operation>> by_frequency() const;

  std::map<Key, Operation> operations_;
  std::uint64_t other_messages_ = 0;
};

}  // namespace takt::command
