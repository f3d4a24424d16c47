// The thread pools of an ORB.
#pragma once

#include <expected>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include <takt/rt/rtcorba.h>

#include "rt/lane_counts.h"
#include "rt/lane_host.h"
#include "rt/priority_mappings.h"
#include "threads/locks/priority_mutex.h"

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
  // Adds the priorities of the lanes, as another pool sees them.
  void add_uses(std::vector<PriorityUse>& uses) const;
};

// Any thread.
class Threadpools {
 public:
  enum class Refusal { unknown, used };

  RTCORBA::ThreadpoolId add(std::shared_ptr<const Threadpool> pool);
  // Null if there is none.
  std::shared_ptr<const Threadpool> find(RTCORBA::ThreadpoolId id) const;
  // The same for an adapter: the pool cannot be removed until all copies of the result are gone.
  std::shared_ptr<const Threadpool> use(RTCORBA::ThreadpoolId id) const;
  std::vector<std::shared_ptr<const Threadpool>> all() const;
  void add_uses(std::vector<PriorityUse>& uses) const;
  // Removes the pool and returns it, unless adapters use it.
  std::expected<std::shared_ptr<const Threadpool>, Refusal> remove(RTCORBA::ThreadpoolId id);

 private:
  struct Held {
    std::shared_ptr<const Threadpool> pool;
    std::shared_ptr<const std::shared_ptr<const Threadpool>> use;  // shared with the adapters
  };
  mutable os::PriorityMutex mutex_;
  std::map<RTCORBA::ThreadpoolId, Held> pools_;
  RTCORBA::ThreadpoolId next_ = 1;
};

}  // namespace takt::rt
