#include "adapter/resolver/known_servant.h"

#include <optional>

#include "reference/object_ref.h"

namespace takt::adapter {

[[gnu::cold]] void KnownServant::search(RequestResolver& resolver, const ByteView& key) {
  AdapterTree& tree = resolver.tree;
  std::optional<KeyParts> parts = tree.keys.read(key);
  CORBA::object_reference<CORBA::Object> target;  // the parts refer to its key
  if (!parts) {
    target = resolver.aliases.registered(key);
    if (target && target->_ref()) parts = tree.keys.read(target->_ref()->local_key());
  }
  PoaSlot* const slot = parts ? tree.enter_poa(*parts) : nullptr;
  if (!slot) return;
  const PolicySet& policies = slot->poa->policies;
  try {
    if (policies.retain()) object_ = resolver.enter_in(*slot->poa, *parts);
    if (!object_ && policies.default_servant()) default_ = table_.enter_default_servant(*slot->poa);
  } catch (...) {
    table_.leave(*slot);
    throw;
  }
  table_.leave(*slot);
}

}  // namespace takt::adapter
