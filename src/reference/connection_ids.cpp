#include "reference/connection_ids.h"

#include <atomic>
#include <utility>

namespace takt::reference {

std::uint64_t ConnectionIds::of(const std::string& description, std::size_t at_most) {
  static std::atomic<std::uint64_t> next{1};
  const auto another = [] { return next.fetch_add(1, std::memory_order_relaxed); };
  if (description.size() > at_most) return another();
  std::lock_guard lock(mutex_);
  if (const auto found = newer_.find(description); found != newer_.end()) return found->second;
  const auto found = older_.find(description);
  const std::uint64_t id = found != older_.end() ? found->second : another();
  if (found != older_.end()) older_.erase(found);
  if (newer_.size() == most / 2) older_ = std::exchange(newer_, {});
  newer_.emplace(description, id);
  return id;
}

std::size_t ConnectionIds::size() const {
  std::lock_guard lock(mutex_);
  return newer_.size() + older_.size();
}

}  // namespace takt::reference
