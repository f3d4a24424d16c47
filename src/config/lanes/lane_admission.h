// Admission control: whether a lane's declared load fits on its processors.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "config/settings.h"
#include "threads/processors.h"

namespace takt::orb {

struct LaneLoad {
  std::string text;           // as declared: "2ms/10ms"
  double utilisation = 0;     // sum over the lane's threads, as a fraction of one processor
  os::Processors processors;  // not empty; the load counts as evenly distributed over them
};

// One per ORB; any thread.
class LaneAdmission : public std::enable_shared_from_this<LaneAdmission> {
 public:
  // Applies LaneLoads and MaxLaneUtilisation. `lane_processors`: those of LaneCpus; other lanes have all.
  // Throws BAD_PARAM for an invalid LaneLoads.
  LaneAdmission(const Settings& settings, const std::map<std::int16_t, os::Processors>& lane_processors);

  // Reserves the lane's load until the last copy of the result is gone. Null if the priority has no declared
  // load. Throws NO_RESOURCES with the lane, its load, and the remaining capacity.
  using Share = std::shared_ptr<const void>;
  Share admit(std::int16_t priority);
  // Applies MaxLaneUtilisation to lanes that are admitted later.
  void change_most(const Settings& settings);

 private:
  using Admitted = std::multimap<std::int16_t, const LaneLoad*>;
  Admitted::iterator take_room(std::int16_t priority, const LaneLoad& load);
  void require_room(std::int16_t priority, const LaneLoad& load) const;

  const std::map<std::int16_t, LaneLoad> loads_;
  mutable std::mutex mutex_;
  double most_;  // utilisation limit of each processor, from 0 to 1
  Admitted admitted_;
};

}  // namespace takt::orb
