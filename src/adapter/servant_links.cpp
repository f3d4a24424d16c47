#include <mutex>

#include "adapter/active_object.h"
#include "adapter/poa_core.h"

namespace takt::adapter {

namespace {
// For all servants, since one servant may be in adapters of several ORBs.
std::mutex links;
}  // namespace

void ServantLinks::add(ActiveObject& object) {
  std::lock_guard lock(links);
  object.next_of_servant = object.servant->activations_;
  object.servant->activations_ = &object;
}

void ServantLinks::remove(ActiveObject& object) {
  std::lock_guard lock(links);
  ActiveObject** link = &object.servant->activations_;
  while (*link != &object) link = &(*link)->next_of_servant;
  *link = object.next_of_servant;
}

ActiveObject* ServantLinks::find(const PortableServer::Servant& servant, const PoaCore& poa) {
  std::lock_guard lock(links);
  for (ActiveObject* object = servant.activations_; object; object = object->next_of_servant)
    if (object->poa == &poa && object->turnstile.is_open()) return object;
  return nullptr;
}

std::shared_ptr<PoaCore> ServantLinks::any_poa(const PortableServer::Servant& servant) {
  std::lock_guard lock(links);
  return servant.activations_ ? servant.activations_->poa->shared_from_this() : nullptr;
}

}  // namespace takt::adapter
