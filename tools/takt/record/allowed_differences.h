// Differences between replies that do not make a replay fail.
#pragma once

#include <cstddef>
#include <expected>
#include <map>
#include <string>
#include <vector>

#include "record/recorded_calls.h"

namespace takt::command {

class AllowedDifferences {
 public:
  // Each rule is OPERATION, whose replies may be any, or OPERATION:FROM-TO, whose replies may differ in those
  // octets of their bodies, counted from 0. An operation may have several. The error is for people.
  static std::expected<AllowedDifferences, std::string> read(const std::vector<std::string>& rules);

  // Whether replies of the operation need not be compared.
  bool allow_any(const std::string& operation) const;
  // Whether the replies are equal but for octets that may differ.
  bool are_alike(const std::string& operation, const RecordedReply& one, const RecordedReply& other) const;

 private:
  struct Octets {
    std::size_t from, to;  // inclusive
  };
  std::map<std::string, std::vector<Octets>> by_operation_;  // empty: any
};

}  // namespace takt::command
