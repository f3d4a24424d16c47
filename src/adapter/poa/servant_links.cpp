#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "adapter/objects/active_object.h"
#include "adapter/poa/adapter_tree.h"
#include "threads/locks/priority_mutex.h"

namespace takt::adapter {

// One member of each ring but the first.
struct FurtherActivations {
  std::map<const PoaCore*, ActiveObject*> by_poa;
};

namespace {

// Shared by all servants, since a servant may be in adapters of several ORBs.
os::PriorityMutex& links() {
  static auto& mutex = *new os::PriorityMutex;  // never destroyed, since servants may outlive static objects
  return mutex;
}

// `member` is in the ring to join; null starts a new ring.
void join(ActiveObject& object, ActiveObject* member) {
  if (!member) {
    object.next_of_servant = object.previous_of_servant = object.index;
    return;
  }
  const auto& table = object.poa->tree.table.objects;
  object.next_of_servant = member->index;
  object.previous_of_servant = member->previous_of_servant;
  table.at(object.previous_of_servant).next_of_servant = object.index;
  member->previous_of_servant = object.index;
}

// Removes the object. Returns a remaining member of the ring, or null.
ActiveObject* part(const ActiveObject& object) {
  if (object.next_of_servant == object.index) return nullptr;
  const auto& table = object.poa->tree.table.objects;
  table.at(object.previous_of_servant).next_of_servant = object.next_of_servant;
  ActiveObject& next = table.at(object.next_of_servant);
  next.previous_of_servant = object.previous_of_servant;
  return &next;
}

}  // namespace

void ServantLinks::add(ActiveObject& object) {
  std::lock_guard lock(links());
  PortableServer::Servant& servant = *object.servant;
  ActiveObject** ring = &servant.activations_;
  if (*ring && (*ring)->poa != object.poa) {
    auto made = servant.further_activations_ ? nullptr : std::make_unique<FurtherActivations>();
    ring = &(made ? *made : *servant.further_activations_).by_poa[object.poa];
    if (made) servant.further_activations_ = made.release();  // it is never left empty
  }
  join(object, *ring);
  *ring = &object;
}

void ServantLinks::remove(ActiveObject& object) {
  std::lock_guard lock(links());
  PortableServer::Servant& servant = *object.servant;
  ActiveObject* const remaining = part(object);
  FurtherActivations*& further = servant.further_activations_;
  if (servant.activations_->poa == object.poa) {
    if (servant.activations_ == &object) servant.activations_ = remaining;
    if (servant.activations_ || !further) return;
    servant.activations_ = further->by_poa.begin()->second;
    further->by_poa.erase(further->by_poa.begin());
  } else {
    const auto ring = further->by_poa.find(object.poa);
    if (ring->second == &object) ring->second = remaining;
    if (ring->second) return;
    further->by_poa.erase(ring);
  }
  if (further->by_poa.empty()) delete std::exchange(further, nullptr);
}

// A member of the servant's ring in `poa`; null if there is none. Call with the lock.
ActiveObject* ServantLinks::member(const PortableServer::Servant& servant, const PoaCore& poa) {
  ActiveObject* const first = servant.activations_;
  if (!first || first->poa == &poa) return first;
  if (!servant.further_activations_) return nullptr;
  const auto& rings = servant.further_activations_->by_poa;
  const auto ring = rings.find(&poa);
  return ring == rings.end() ? nullptr : ring->second;
}

bool ServantLinks::any(const PortableServer::Servant& servant, const PoaCore& poa) {
  std::lock_guard lock(links());
  return member(servant, poa) != nullptr;
}

ActiveObject* ServantLinks::find(const PortableServer::Servant& servant, const PoaCore& poa) {
  std::lock_guard lock(links());
  ActiveObject* const first = member(servant, poa);
  for (ActiveObject* object = first; object;) {
    if (object->turnstile.is_open()) return object;
    object = &poa.tree.table.objects.at(object->next_of_servant);
    if (object == first) break;
  }
  return nullptr;
}

std::shared_ptr<PoaCore> ServantLinks::any_poa(const PortableServer::Servant& servant) {
  std::lock_guard lock(links());
  return servant.activations_ ? servant.activations_->poa->shared_from_this() : nullptr;
}

}  // namespace takt::adapter
