#include "config/lanes/missing_lanes.h"

#include <mutex>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include "config/lane_options.h"

namespace takt::orb {

[[gnu::cold]] MissingLanes::MissingLanes(const Settings& settings) : warnings_(settings.warnings) {
  const auto note = [this](std::string_view option, const std::vector<std::string>& texts) {
    for (const auto& [priority, values] : by_priority(texts, option, "VALUE")) {
      std::string& names = options_[priority];
      names.append(names.empty() ? "-ORB" : " and -ORB").append(option);
    }
  };
  note("LaneEndpoints", settings.serving.lane_endpoints);
  note("LaneCpus", settings.threads.lane_processors);
  note("LaneLoads", settings.threads.lane_loads);
  note("LaneReservations", settings.threads.lane_reservations);
}

[[gnu::cold]] void MissingLanes::note_lane(std::int16_t priority) {
  const std::lock_guard lock(mutex_);
  options_.erase(priority);
  lanes_.insert(priority);
}

[[gnu::cold]] void MissingLanes::report() noexcept try {
  const std::lock_guard lock(mutex_);
  if (std::exchange(reported_, true)) return;
  if (options_.empty()) return;
  std::string there = "there are no lanes";
  for (const std::int16_t lane : lanes_)
    there = (lane == *lanes_.begin() ? "there are lanes of " : there + ", ") + std::to_string(lane);
  for (const auto& [priority, names] : options_)
    warnings_.say(names + " for priority " + std::to_string(priority) +
                  ": no effect, since no thread pool has a lane of that priority (" + there +
                  "): correct the priority, or make the lane before ORB::run() (-ORBLanes, "
                  "create_threadpool_with_lanes)");
} catch (const std::bad_alloc&) {  // a line of the log is lost
}

}  // namespace takt::orb
