// What another room adds to adapters: policies of its own, and what they mean for references and upcalls.
#pragma once

#include <cstdint>
#include <memory>

#include <takt/reference/policy.h>
#include <takt/server/server_call.h>

#include "reference/publication.h"

namespace takt::adapter {

// Of one adapter, which owns it. Any thread.
class PoaExtension {
 public:
  // What takes back what enter() has done, in the same thread; it may outlive the adapter.
  using Ending = server::ServerCall::Ending;
  virtual ~PoaExtension() = default;

  // Before each upcall, in its thread, from when its adapter is known; neither allocates nor locks. `call`:
  // null where collocated. `object_priority`: -1 where the object has none of its own, or it is not known
  // yet. A system exception, which is the request's answer, if the upcall is not to run; nothing has been
  // done then.
  virtual Ending enter(server::ServerCall* call, std::int16_t object_priority) = 0;

  // What references to its objects say.
  virtual reference::Publication publication(std::int16_t object_priority) const = 0;
  // Whether objects may have that priority of their own; -1: any at all.
  virtual bool declares(std::int16_t object_priority) const = 0;
};

class AdapterExtension {
 public:
  virtual ~AdapterExtension() = default;
  // Whether a policy is one of its own.
  virtual bool knows(CORBA::Policy& policy) const = 0;
  // Null if the list holds none of its own. Throws InvalidPolicy where they do not go together.
  virtual std::shared_ptr<PoaExtension> extend(const CORBA::PolicyList& policies) = 0;
};

}  // namespace takt::adapter
