#include "reference/own_endpoints.h"

#include <algorithm>
#include <utility>

namespace takt::reference {

void OwnEndpoints::publish(std::vector<transport::Endpoint> endpoints) {
  std::lock_guard lock(mutex_);
  published_ = std::move(endpoints);
}

std::vector<transport::Endpoint> OwnEndpoints::published() const {
  std::lock_guard lock(mutex_);
  return published_;
}

void OwnEndpoints::add(const std::vector<transport::Endpoint>& endpoints, const giop::Messaging& messaging) {
  std::lock_guard lock(mutex_);
  for (const transport::Endpoint& endpoint : endpoints) others_.push_back({endpoint, messaging});
}

giop::Messaging OwnEndpoints::messaging_at(const transport::Endpoint& endpoint,
                                           const giop::Messaging& usual) const {
  std::lock_guard lock(mutex_);
  const auto own = std::ranges::find(others_, endpoint, &Own::endpoint);
  return own == others_.end() ? usual : own->messaging;
}

bool OwnEndpoints::has(const transport::Endpoint& endpoint) const {
  std::lock_guard lock(mutex_);
  return std::ranges::find(published_, endpoint) != published_.end() ||
         std::ranges::find(others_, endpoint, &Own::endpoint) != others_.end();
}

}  // namespace takt::reference
