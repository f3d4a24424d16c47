#include "adapter/default_adapter.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "adapter/object_adapter.h"
#include "os/threads/priority_mutex.h"

namespace takt::adapter {

namespace {

struct LiveAdapters {
  os::PriorityMutex mutex;
  std::vector<ObjectAdapter*> adapters;
};
LiveAdapters& live() {
  static auto* adapters = new LiveAdapters;  // outlives whatever static object asks for it last
  return *adapters;
}

}  // namespace

void remember_adapter(ObjectAdapter& adapter) {
  std::lock_guard lock(live().mutex);
  auto& adapters = live().adapters;
  if (std::ranges::find(adapters, &adapter) == adapters.end()) adapters.push_back(&adapter);
}

void forget_adapter(ObjectAdapter& adapter) {
  std::lock_guard lock(live().mutex);
  std::erase(live().adapters, &adapter);
}

std::shared_ptr<PoaCore> default_root(std::shared_ptr<void>& orb) {
  std::unique_lock lock(live().mutex);
  for (ObjectAdapter* adapter : live().adapters) {
    auto core = adapter->core.weak_from_this().lock();
    if (!core || core->down()) continue;
    lock.unlock();
    orb = core;
    return adapter->root();
  }
  return nullptr;
}

}  // namespace takt::adapter
