// The upcalls that a thread is in, as the adapter sees them.
#pragma once

#include <utility>

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

// What the adapter's extension, if it has one, does for an upcall: from when the adapter is known until the
// answer has been sent, or a collocated call has ended.
class ExtendedUpcall {
 public:
  // `call`: null where collocated.
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
  // Again, where it turns out that the adapter or the object's priority is another.
  void enter(const PoaCore& poa, std::int16_t priority) {
    PoaExtension* const extension = poa.policies.extension.get();
    if (!extension || (extension == entered_ && priority == priority_)) return;
    const auto ending = extension->enter(call_, priority);
    entered_ = extension;
    priority_ = priority;
    if (std::exchange(has_ending_, true)) return;  // which goes back to before both
    if (!call_)
      ending_ = ending;
    else if (ending.run)
      call_->at_end(ending);
  }
  // The adapter may be another the next time.
  void forget_adapter() { entered_ = nullptr; }

 private:
  server::ServerCall* const call_;
  const PoaExtension* entered_ = nullptr;
  std::int16_t priority_ = -1;
  bool has_ending_ = false;
  PoaExtension::Ending ending_;  // of a collocated call
};

}  // namespace takt::adapter
