#include "interceptors/common/ended_adapters.h"

#include <mutex>
#include <utility>

namespace takt::interceptors {

void EndedAdapters::keep(std::shared_ptr<adapter::PoaCore> adapter) {
  const std::lock_guard lock(mutex_);
  all_.push_back(std::move(adapter));
}

std::shared_ptr<adapter::PoaCore> EndedAdapters::find(const ByteView& key) const {
  const std::lock_guard lock(mutex_);
  for (const auto& one : all_)
    if (one->id_in(key)) return one;
  return nullptr;
}

void EndedAdapters::clear() noexcept {
  std::vector<std::shared_ptr<adapter::PoaCore>> released;
  const std::lock_guard lock(mutex_);
  released.swap(all_);
}

}  // namespace takt::interceptors
