#include "connection/orb_core.h"

#include <algorithm>

#include "connection/object_ref.h"
#include "giop/profile.h"

namespace takt::connection {

OrbCore::OrbCore() : channels_(std::make_shared<ChannelRegistry>()) {}
OrbCore::~OrbCore() = default;

void OrbCore::publish(std::vector<transport::Endpoint> endpoints) {
  std::lock_guard lock(mutex_);
  published_ = std::move(endpoints);
}

std::vector<transport::Endpoint> OrbCore::published() const {
  std::lock_guard lock(mutex_);
  return published_;
}

bool OrbCore::is_ours(const transport::Endpoint& endpoint) const {
  std::lock_guard lock(mutex_);
  return std::find(published_.begin(), published_.end(), endpoint) != published_.end();
}

std::shared_ptr<ObjectRef> OrbCore::from_ior(cdr::Ior ior) {
  if (ior.type_id.empty() && ior.profiles.empty()) return nullptr;
  return std::make_shared<ObjectRef>(shared_from_this(), make_target(*this, std::move(ior)));
}

std::uint64_t OrbCore::connection_id(const std::string& description) {
  static std::atomic<std::uint64_t> next{1};
  std::lock_guard lock(mutex_);
  auto [found, added] = connection_ids_.try_emplace(description, 0);
  if (added) found->second = next.fetch_add(1, std::memory_order_relaxed);
  return found->second;
}

void OrbCore::shut_down() {
  down_.store(true, std::memory_order_relaxed);
  channels_->shut_down();
}

}  // namespace takt::connection
