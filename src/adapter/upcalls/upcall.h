// The upcalls that a thread is in, as the adapter sees them.
#pragma once

#include <takt/adapter/upcall_frame.h>

#include "adapter/objects/active_object.h"
#include "adapter/poa/poa_core.h"
#include "adapter/policies/extension.h"

namespace takt::adapter {

// On a servant that need not be in the active object map.
class AnyUpcall final : public UpcallFrame {
 public:
  AnyUpcall(PoaCore& in_poa, ActiveObject* object, PortableServer::Servant& of_servant, const ByteView& key)
      : UpcallFrame(object, key), poa(in_poa), servant(of_servant) {}

  PoaCore& poa;
  PortableServer::Servant& servant;
};

inline PoaCore& poa_of(const UpcallFrame& upcall) {
  return upcall.object() ? *upcall.object()->poa : static_cast<const AnyUpcall&>(upcall).poa;
}
inline PortableServer::Servant& servant_of(const UpcallFrame& upcall) {
  return upcall.object() ? *upcall.object()->servant : static_cast<const AnyUpcall&>(upcall).servant;
}
// RT-CORBA's; -1: the object has none of its own.
inline std::int16_t priority_of(const UpcallFrame& upcall) {
  return upcall.object() ? upcall.object()->priority : std::int16_t{-1};
}

// What the adapter's extension, if it has one, does around an upcall. `call`: null where collocated.
class ExtendedUpcall {
 public:
  ExtendedUpcall(const ActiveObject& object, connection::ServerCall* call)
      : ExtendedUpcall(*object.poa, object.priority, call) {}
  ExtendedUpcall(const AnyUpcall& upcall, connection::ServerCall* call)
      : ExtendedUpcall(upcall.poa, priority_of(upcall), call) {}
  ~ExtendedUpcall() {
    if (extension_) extension_->leave(saved_);
  }
  ExtendedUpcall(const ExtendedUpcall&) = delete;
  ExtendedUpcall& operator=(const ExtendedUpcall&) = delete;

 private:
  ExtendedUpcall(const PoaCore& poa, std::int16_t priority, connection::ServerCall* call)
      : extension_(poa.policies.extension.get()) {
    if (extension_) saved_ = extension_->enter(call, priority);
  }

  PoaExtension* const extension_;
  PoaExtension::Saved saved_;
};

}  // namespace takt::adapter
