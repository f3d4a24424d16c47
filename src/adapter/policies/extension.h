// Extension of adapters by another room: further policies, and their effects on references and upcalls.
#pragma once

#include <cstdint>
#include <memory>

#include <takt/reference/policy.h>
#include <takt/server/server_call.h>

#include "reference/publication.h"

namespace takt::adapter {

// The extension of one adapter, which owns it. Any thread.
class PoaExtension {
 public:
  // Undoes the effects of enter() in the same thread. May outlive the adapter.
  using Ending = server::ServerCall::Ending;
  virtual ~PoaExtension() = default;

  // Called before each upcall, in its thread, once the adapter is known. Neither allocates nor locks. `call`:
  // null for a local call. `object_priority`: -1 if the object has none, or it is not known yet. Throws a
  // system exception, which becomes the answer, to prevent the upcall; then it has no effect.
  virtual Ending enter(server::ServerCall* call, std::int16_t object_priority) = 0;

  // The native priority at which enter() will let such a request run: 0 for that of the thread. `asked`: the
  // client's priority, or -1.
  virtual int urgency_of(std::int16_t asked, std::int16_t object_priority) const noexcept = 0;

  // The addresses and priorities to publish in references to its objects.
  virtual reference::Publication publication(std::int16_t object_priority) const = 0;
  // Whether objects may have this priority of their own; -1 asks whether they may have any.
  virtual bool declares(std::int16_t object_priority) const = 0;
  // Called once, when the adapter has been destroyed and its last request has left it. The table is locked,
  // so it must not call the adapter.
  virtual void ended() noexcept = 0;
};

class AdapterExtension {
 public:
  virtual ~AdapterExtension() = default;
  // Whether the policy belongs to this extension.
  virtual bool knows(CORBA::Policy& policy) const = 0;
  // Null if none of the policies belongs to it. Throws InvalidPolicy for conflicting policies.
  virtual std::shared_ptr<PoaExtension> extend(const CORBA::PolicyList& policies) = 0;
};

}  // namespace takt::adapter
