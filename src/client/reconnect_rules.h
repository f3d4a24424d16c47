// Remembers which references have had a connection, if their rebind policy forbids another one.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "reference/object_ref.h"
#include "reference/target.h"

namespace takt::client {

// Messaging::RebindPolicy NO_RECONNECT: a reference that has lost a connection gets none in its place until
// the program binds it explicitly. One thread.
class ReconnectRules {
 public:
  // Whether the reference has had a connection for which `is_open`, a predicate of a key, is false now.
  template <class IsOpen>
  bool has_lost_one(const reference::ObjectRef& ref, const IsOpen& is_open) const {
    return std::ranges::any_of(
        had_, [&](const Had& had) { return had.reference.lock().get() == &ref && !is_open(had.key); });
  }
  // The reference has that connection.
  void note(reference::ObjectRef& ref, const reference::ConnectionKey& key);
  // Forgets the connections that the reference has had.
  void allow(const reference::ObjectRef& ref);

 private:
  struct Had {
    std::weak_ptr<const reference::ObjectRef> reference;
    reference::ConnectionKey key;
  };
  std::vector<Had> had_;
};

}  // namespace takt::client
