// The consumers that are to get a stored event, as octets.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "notification_parts/model/object.h"

namespace takt::notification {

// Times are nanoseconds since 1970.
struct StoredTarget {
  static constexpr std::int64_t no_start = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t no_expiry = std::numeric_limits<std::int64_t>::max();

  ObjectId proxy = 0;
  std::int16_t priority = 0;
  std::int64_t start_ns = no_start, expiry_ns = no_expiry;
  bool operator==(const StoredTarget&) const = default;
};

std::string octets_of(const std::vector<StoredTarget>& targets);
// Octets that are no whole target are ignored.
std::vector<StoredTarget> targets_in(std::string_view octets);

}  // namespace takt::notification
