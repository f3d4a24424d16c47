// The division of a time limit among attempts that are made one after the other.
#pragma once

#include <cstddef>
#include <cstdint>

#include <takt/os/clock.h>

namespace takt::os {

// When the first of `attempts` must end, so that each has an even share of the time until `deadline`: one
// address that does not answer then leaves time for the others.
constexpr TimePoint end_of_share(TimePoint deadline, TimePoint now, std::size_t attempts) {
  if (deadline == no_deadline || attempts <= 1) return deadline;
  return now + remaining(deadline, now) / static_cast<std::int64_t>(attempts);
}

}  // namespace takt::os
