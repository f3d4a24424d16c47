// How another room learns of adapters and their managers, and adds to references.
#pragma once

#include <memory>

#include <takt/adapter/poa_manager.h>
#include <takt/base/bytes.h>
#include <takt/reference/policy.h>

namespace takt::reference {
class ObjectRef;
}

namespace takt::adapter {

class ManagerCore;
class PoaCore;

// Any thread; called without locks, except that root adapters begin one at a time.
class AdapterWatcher {
 public:
  virtual ~AdapterWatcher() = default;

  // Whether adapters may have the policy, which has no effect on them.
  virtual bool keeps(CORBA::Policy& policy) const = 0;
  // Called for each adapter before other threads can find it. The result becomes PoaCore::watched. Exceptions
  // make the adapter's creation fail.
  virtual std::shared_ptr<const void> begin(const PoaCore& poa) = 0;
  // The reference that takes the place of `made`, a new one to the adapter's object with that key.
  virtual std::shared_ptr<reference::ObjectRef> publish(const PoaCore& poa,
                                                        std::shared_ptr<reference::ObjectRef> made,
                                                        ByteView key) const = 0;
  // The adapter is going to be destroyed; it may still get requests.
  virtual void ends(PoaCore& poa) noexcept = 0;
  // The adapter's objects get no more requests.
  virtual void ended(const PoaCore& poa) noexcept = 0;
  virtual void changed(const ManagerCore& manager, PortableServer::POAManager::State to) noexcept = 0;
};

}  // namespace takt::adapter
