// The upcalls of a thread, with access to their adapters and servants.
#pragma once

#include <utility>

#include <takt/adapter/entrance.h>

#include "adapter/objects/active_object.h"
#include "adapter/poa/poa_core.h"
#include "adapter/policies/extension.h"

namespace takt::adapter {

// An upcall on a servant that need not be in the active object map.
class AnyUpcall final : public UpcallFrame {
 public:
  AnyUpcall(PoaCore& in_poa, ActiveObject* object, PortableServer::Servant& of_servant, const ByteView& key)
      : UpcallFrame(object, key), poa(in_poa), servant(of_servant) {}

  PoaCore& poa;
  PortableServer::Servant& servant;
};

// Null if the servant is not in the active object map.
inline ActiveObject* object_of(const UpcallFrame& upcall) {
  return static_cast<ActiveObject*>(upcall.object());
}
inline PoaCore& poa_of(const UpcallFrame& upcall) {
  return upcall.object() ? *object_of(upcall)->poa : static_cast<const AnyUpcall&>(upcall).poa;
}
inline PortableServer::Servant& servant_of(const UpcallFrame& upcall) {
  return upcall.object() ? *object_of(upcall)->servant : static_cast<const AnyUpcall&>(upcall).servant;
}
// The object's own RT-CORBA priority; -1: none.
inline std::int16_t priority_of(const UpcallFrame& upcall) {
  return upcall.object() ? object_of(upcall)->priority : std::int16_t{-1};
}

// Applies the adapter's extension, if any, to an upcall: from the time when the adapter is known until the
// answer was sent or the local call has ended.
class ExtendedUpcall {
 public:
  // `call`: null for a local call.
  explicit ExtendedUpcall(server::ServerCall* call) : call_(call) {}
  ExtendedUpcall(const ActiveObject& object, server::ServerCall* call) : call_(call) {
    enter(*object.poa, object.priority);
  }
  ~ExtendedUpcall() {
    if (!call_ && has_ending_ && ending_.run) ending_.run(ending_.state);
  }
  ExtendedUpcall(const ExtendedUpcall&) = delete;
  ExtendedUpcall& operator=(const ExtendedUpcall&) = delete;

  server::ServerCall* call() const { return call_; }
  // May be called again if the adapter or the object's priority turns out to be another.
  void enter(const PoaCore& poa, std::int16_t priority) {
    PoaExtension* const extension = poa.policies.extension.get();
    if (!extension || (extension == entered_ && priority == priority_)) return;
    const auto ending = extension->enter(call_, priority);
    entered_ = extension;
    priority_ = priority;
    if (std::exchange(has_ending_, true)) return;  // the first ending restores the state before both
    if (!call_)
      ending_ = ending;
    else if (ending.run)
      call_->at_end(ending);
  }
  // Call before the adapter may change.
  void forget_adapter() { entered_ = nullptr; }

 private:
  server::ServerCall* const call_;
  const PoaExtension* entered_ = nullptr;
  std::int16_t priority_ = -1;
  bool has_ending_ = false;
  PoaExtension::Ending ending_;  // for a local call
};

}  // namespace takt::adapter
