#include "rt/threadpools.h"

#include <algorithm>

namespace takt::rt {

bool Threadpool::has_lane(RTCORBA::Priority priority) const {
  return std::ranges::find(lanes, priority, &Lane::priority) != lanes.end();
}

RTCORBA::ThreadpoolId Threadpools::add(std::shared_ptr<const Threadpool> pool) {
  std::lock_guard lock(mutex_);
  pools_.emplace(next_, std::move(pool));
  return next_++;
}

std::shared_ptr<const Threadpool> Threadpools::find(RTCORBA::ThreadpoolId id) const {
  std::lock_guard lock(mutex_);
  const auto found = pools_.find(id);
  return found == pools_.end() ? nullptr : found->second;
}

std::vector<std::shared_ptr<const Threadpool>> Threadpools::all() const {
  std::vector<std::shared_ptr<const Threadpool>> all;
  std::lock_guard lock(mutex_);
  for (const auto& [id, pool] : pools_) all.push_back(pool);
  return all;
}

std::shared_ptr<const Threadpool> Threadpools::take(RTCORBA::ThreadpoolId id) {
  std::lock_guard lock(mutex_);
  const auto found = pools_.find(id);
  if (found == pools_.end()) return nullptr;
  auto pool = std::move(found->second);
  pools_.erase(found);
  return pool;
}

}  // namespace takt::rt
