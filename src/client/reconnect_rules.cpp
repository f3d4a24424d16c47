#include "client/reconnect_rules.h"

namespace takt::client {

void ReconnectRules::note(reference::ObjectRef& ref, const reference::ConnectionKey& key) {
  std::erase_if(had_, [](const Had& had) { return had.reference.expired(); });
  const bool known = std::ranges::any_of(
      had_, [&](const Had& had) { return had.key == key && had.reference.lock().get() == &ref; });
  if (!known) had_.push_back({ref.weak_from_this(), key});
}

void ReconnectRules::allow(const reference::ObjectRef& ref) {
  std::erase_if(had_, [&](const Had& had) { return had.reference.lock().get() == &ref; });
}

}  // namespace takt::client
