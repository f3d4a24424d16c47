// Whether a lane's declared load fits on its processors.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "os/threads/processors.h"

namespace takt::orb {

struct LaneLoad {
  std::string text;           // as declared: "2ms/10ms"
  double utilisation = 0;     // of one processor; of all threads of the lane together
  os::Processors processors;  // on which it counts as spread evenly; not empty
};

// LaneLoads: BUDGET/PERIOD by priority; on the processors of LaneCpus, or all. BAD_PARAM.
std::map<std::int16_t, LaneLoad> lane_loads(const std::vector<std::string>& texts,
                                            const std::map<std::int16_t, os::Processors>& lane_processors);

// One of an ORB; any thread.
class LaneAdmission : public std::enable_shared_from_this<LaneAdmission> {
 public:
  // `most`: of each processor, from 0 to 1.
  LaneAdmission(std::map<std::int16_t, LaneLoad> loads, double most)
      : loads_(std::move(loads)), most_(most) {}

  // Holds the lane's load until its last copy goes. Null: nothing is declared for the priority. Throws
  // NO_RESOURCES, naming the lane, its load, and what is left.
  using Share = std::shared_ptr<const void>;
  Share admit(std::int16_t priority);
  // For lanes to come.
  void change_most(double most);

 private:
  using Admitted = std::multimap<std::int16_t, const LaneLoad*>;
  Admitted::iterator take_room(std::int16_t priority, const LaneLoad& load);
  void require_room(std::int16_t priority, const LaneLoad& load) const;

  const std::map<std::int16_t, LaneLoad> loads_;
  mutable std::mutex mutex_;
  double most_;
  Admitted admitted_;
};

}  // namespace takt::orb
