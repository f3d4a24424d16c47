#include "roads/closed_roads.h"

#include <algorithm>

namespace takt::roads {

bool ClosedRoads::is_closed(const Server& server, os::TimePoint now) const {
  const std::lock_guard lock(mutex_);
  const auto found = closed_.find(server);
  return found != closed_.end() && now < found->second.until;
}

void ClosedRoads::close(const Server& server, os::TimePoint now) {
  const std::lock_guard lock(mutex_);
  if (closed_.size() >= most && !closed_.contains(server)) closed_.clear();
  Closed& closed = closed_[server];
  closed.time = std::clamp<std::chrono::nanoseconds>(2 * closed.time, first, longest);
  closed.until = now + closed.time;
}

void ClosedRoads::open(const Server& server) {
  const std::lock_guard lock(mutex_);
  closed_.erase(server);
}

}  // namespace takt::roads
