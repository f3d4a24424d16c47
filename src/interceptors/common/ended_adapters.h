// Adapters that were destroyed, for requests that may still be in them.
#pragma once

#include <memory>
#include <vector>

#include <takt/base/bytes.h>

#include "adapter/poa/poa_core.h"
#include "os/threads/priority_mutex.h"

namespace takt::interceptors {

// Any thread. Locks, allocates.
class EndedAdapters {
 public:
  void keep(std::shared_ptr<adapter::PoaCore> adapter);
  // The adapter of the object with that key; null if it was not kept.
  std::shared_ptr<adapter::PoaCore> find(const ByteView& key) const;
  void clear() noexcept;

 private:
  mutable os::PriorityMutex mutex_;
  std::vector<std::shared_ptr<adapter::PoaCore>> all_;
};

}  // namespace takt::interceptors
