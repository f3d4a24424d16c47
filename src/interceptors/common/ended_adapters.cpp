#include "interceptors/common/ended_adapters.h"

#include <mutex>
#include <utility>

#include "adapter/poa/poa_core.h"
#include "interceptors/common/adapter_name.h"

namespace takt::interceptors {

EndedAdapter::EndedAdapter(const adapter::PoaCore& adapter)
    : names(adapter_name_of(adapter)),
      path(adapter.path),
      self(adapter.self),
      persistent(adapter.policies.persistent()),
      ids_name_slots(adapter.policies.ids_name_slots()) {}

bool EndedAdapter::owns(const adapter::KeyParts& key) const {
  if (key.transient == persistent) return false;
  return persistent ? adapter::text_of(key.path) == path : key.poa == self;
}

adapter::ObjectId EndedAdapter::id_of(const adapter::KeyParts& key) const {
  if (key.id.empty() && ids_name_slots) return adapter::id_of_slot(key.object);
  return {key.id.begin(), key.id.end()};
}

void EndedAdapters::keep(std::shared_ptr<const EndedAdapter> adapter) {
  const std::lock_guard lock(mutex_);
  all_.push_back(std::move(adapter));
}

std::shared_ptr<const EndedAdapter> EndedAdapters::find(const adapter::KeyParts& key) const {
  const std::lock_guard lock(mutex_);
  for (const auto& one : all_)
    if (one->owns(key)) return one;
  return nullptr;
}

void EndedAdapters::clear() noexcept {
  std::vector<std::shared_ptr<const EndedAdapter>> released;
  const std::lock_guard lock(mutex_);
  released.swap(all_);
}

}  // namespace takt::interceptors
