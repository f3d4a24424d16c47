// The thread pools of an ORB.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include <takt/rt/rtcorba.h>

#include "os/threads/priority_mutex.h"
#include "rt/lane_counts.h"
#include "rt/lane_host.h"

namespace takt::rt {

// One pool, shared by the adapters that use it. Immutable.
struct Threadpool {
  struct Lane {
    RTCORBA::Priority priority;
    LaneHost::Opened opened;
    std::shared_ptr<const LaneCounts> counts = {};
  };
  std::vector<Lane> lanes;  // one, of the default priority, if the pool has no lanes
  bool has_lanes = false;
  bool has_lane(RTCORBA::Priority priority) const;
};

// Any thread.
class Threadpools {
 public:
  RTCORBA::ThreadpoolId add(std::shared_ptr<const Threadpool> pool);
  // Null if there is none.
  std::shared_ptr<const Threadpool> find(RTCORBA::ThreadpoolId id) const;
  std::vector<std::shared_ptr<const Threadpool>> all() const;
  // Removes the pool and returns it. Null if there is none.
  std::shared_ptr<const Threadpool> take(RTCORBA::ThreadpoolId id);

 private:
  mutable os::PriorityMutex mutex_;
  std::map<RTCORBA::ThreadpoolId, std::shared_ptr<const Threadpool>> pools_;
  RTCORBA::ThreadpoolId next_ = 1;
};

}  // namespace takt::rt
