// Adapters that were destroyed while requests may have been in them, as interceptors see them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <takt/reference/policy.h>

#include "lookup/keys/object_key.h"
#include "threads/locks/priority_mutex.h"

namespace takt::adapter {
class PoaCore;
}

namespace takt::interceptors {

// Does not keep the adapter, nor its manager. Immutable once it is shared.
struct EndedAdapter {
  explicit EndedAdapter(const adapter::PoaCore& adapter);

  std::vector<std::string> names;  // as of adapter_name_of()
  std::string path;
  adapter::SlotName self;
  bool persistent, ids_name_slots;
  CORBA::PolicyList policies;  // those given to the adapter that interceptors may ask for

  bool owns(const adapter::KeyParts& key) const;
  // For a key that it owns.
  adapter::ObjectId id_of(const adapter::KeyParts& key) const;
};

// Any thread. Locks, allocates.
class EndedAdapters {
 public:
  void keep(std::shared_ptr<const EndedAdapter> adapter);
  // The adapter of the object with that key; null if it was not kept.
  std::shared_ptr<const EndedAdapter> find(const adapter::KeyParts& key) const;
  void clear() noexcept;

 private:
  mutable os::PriorityMutex mutex_;
  std::vector<std::shared_ptr<const EndedAdapter>> all_;
};

}  // namespace takt::interceptors
