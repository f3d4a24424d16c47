#include "scheduling/live/steady_priorities.h"

#include <cstddef>

namespace takt::scheduling {
namespace {

// The priority of level `number`, from 0, when `count` levels are spread evenly between two priorities.
// Either of the two may be larger.
std::int32_t between(std::int64_t urgent, std::int64_t less, std::int64_t number, std::int64_t count) {
  return static_cast<std::int32_t>(urgent + (less - urgent) * (number + 1) / (count + 1));
}

// Priorities as distances from a value more urgent than all of them.
class Distances {
 public:
  Distances(std::span<const std::optional<std::int32_t>> had, std::int32_t minimum, std::int32_t maximum)
      : had_(had),
        sign_(maximum >= minimum ? -1 : 1),
        first_(std::int64_t{maximum} - sign_),
        end_((std::int64_t{minimum} - maximum) * sign_ + 2) {}

  std::vector<std::int32_t> kept() {
    std::size_t last = 0;  // the first level without a priority
    std::int64_t last_distance = 0;
    for (std::size_t level = 0; level < had_.size(); ++level) {
      if (!had_[level]) continue;
      const std::int64_t distance = (std::int64_t{*had_[level]} - first_) * sign_;
      if (distance - last_distance <= static_cast<std::int64_t>(level - last)) continue;  // no room before it
      if (end_ - distance < static_cast<std::int64_t>(had_.size() - level)) continue;     // or after it
      fill(last_distance, distance, level - last);
      result_.push_back(*had_[level]);
      last = level + 1;
      last_distance = distance;
    }
    fill(last_distance, end_, had_.size() - last);
    return result_;
  }

 private:
  void fill(std::int64_t from, std::int64_t to, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      result_.push_back(
          static_cast<std::int32_t>(first_ + sign_ * between(from, to, static_cast<std::int64_t>(i),
                                                             static_cast<std::int64_t>(count))));
  }

  std::span<const std::optional<std::int32_t>> had_;
  const std::int64_t sign_, first_, end_;
  std::vector<std::int32_t> result_;
};

}  // namespace

std::vector<std::int32_t> steady_priorities(std::span<const std::optional<std::int32_t>> had,
                                            std::int32_t minimum, std::int32_t maximum) {
  return Distances(had, minimum, maximum).kept();
}

}  // namespace takt::scheduling
