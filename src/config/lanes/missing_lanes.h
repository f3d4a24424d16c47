// Warnings of options for lanes that an ORB does not have.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "config/reports/warnings.h"
#include "config/settings.h"
#include "threads/locks/priority_mutex.h"

namespace takt::orb {

// Options may name lanes that the program makes itself, at any time. One per ORB; any thread.
class MissingLanes {
 public:
  explicit MissingLanes(const Settings& settings);
  // A pool has a lane of that priority, or no lanes and that default priority.
  void note_lane(std::int16_t priority);
  // Warns of each priority that options name and no lane has had. Call it when the program has probably made
  // its pools. Does nothing the next time.
  void report() noexcept;

 private:
  const Warnings warnings_;
  os::PriorityMutex mutex_;
  std::map<std::int16_t, std::string> options_;  // by the priority that they name, and no lane has had
  std::set<std::int16_t> lanes_;                 // the priorities of lanes so far
  bool reported_ = false;
};

}  // namespace takt::orb
