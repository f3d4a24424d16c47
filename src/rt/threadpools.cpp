#include "rt/threadpools.h"

#include <algorithm>

namespace takt::rt {

bool Threadpool::has_lane(RTCORBA::Priority priority) const {
  return std::ranges::find(lanes, priority, &Lane::priority) != lanes.end();
}

[[gnu::cold]] void Threadpool::add_uses(std::vector<PriorityUse>& uses) const {
  for (const Lane& lane : lanes) uses.push_back({lane.priority, "lane of another pool"});
}

RTCORBA::ThreadpoolId Threadpools::add(std::shared_ptr<const Threadpool> pool) {
  auto use = std::make_shared<const std::shared_ptr<const Threadpool>>(pool);
  std::lock_guard lock(mutex_);
  pools_.emplace(next_, Held{std::move(pool), std::move(use)});
  return next_++;
}

std::shared_ptr<const Threadpool> Threadpools::find(RTCORBA::ThreadpoolId id) const {
  std::lock_guard lock(mutex_);
  const auto found = pools_.find(id);
  return found == pools_.end() ? nullptr : found->second.pool;
}

std::shared_ptr<const Threadpool> Threadpools::use(RTCORBA::ThreadpoolId id) const {
  std::lock_guard lock(mutex_);
  const auto found = pools_.find(id);
  if (found == pools_.end()) return nullptr;
  return {found->second.use, found->second.pool.get()};
}

std::vector<std::shared_ptr<const Threadpool>> Threadpools::all() const {
  std::vector<std::shared_ptr<const Threadpool>> all;
  std::lock_guard lock(mutex_);
  for (const auto& [id, held] : pools_) all.push_back(held.pool);
  return all;
}

[[gnu::cold]] void Threadpools::add_uses(std::vector<PriorityUse>& uses) const {
  std::lock_guard lock(mutex_);
  for (const auto& [id, held] : pools_) held.pool->add_uses(uses);
}

// Only use() copies what is counted here, and under the lock.
std::expected<std::shared_ptr<const Threadpool>, Threadpools::Refusal> Threadpools::remove(
    RTCORBA::ThreadpoolId id) {
  std::lock_guard lock(mutex_);
  const auto found = pools_.find(id);
  if (found == pools_.end()) return std::unexpected(Refusal::unknown);
  if (found->second.use.use_count() > 1) return std::unexpected(Refusal::used);
  auto pool = std::move(found->second.pool);
  pools_.erase(found);
  return pool;
}

}  // namespace takt::rt
