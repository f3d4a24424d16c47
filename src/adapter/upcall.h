// The upcalls that a thread is in.
#pragma once

#include <takt/base/bytes.h>

#include "adapter/active_object.h"
#include "adapter/extension.h"
#include "adapter/poa_core.h"

namespace takt::adapter {

// On the stack of the thread that runs the servant, innermost first.
class Upcall {
 public:
  // `key` outlives the upcall; `object` is null where the servant is not in the active object map.
  // `call`: null where collocated.
  Upcall(PoaCore& poa, ActiveObject* object, PortableServer::Servant& servant, ByteView key,
         connection::ServerCall* call)
      : poa_(poa), object_(object), servant_(servant), key_(key), outer_(innermost_) {
    innermost_ = this;
    if (PoaExtension* extension = poa.policies.extension.get()) [[unlikely]]
      saved_ = extension->enter(call, object_priority());
  }
  ~Upcall() {
    innermost_ = outer_;
    if (PoaExtension* extension = poa_.policies.extension.get()) [[unlikely]]
      extension->leave(saved_);
  }
  Upcall(const Upcall&) = delete;
  Upcall& operator=(const Upcall&) = delete;

  static Upcall* innermost() { return innermost_; }
  Upcall* outer() const { return outer_; }
  PoaCore& poa() const { return poa_; }
  ActiveObject* object() const { return object_; }
  PortableServer::Servant& servant() const { return servant_; }
  ByteView key() const { return key_; }
  // RT-CORBA's; -1: the object has none of its own.
  std::int16_t object_priority() const { return object_ ? object_->priority : std::int16_t{-1}; }

 private:
  PoaCore& poa_;
  ActiveObject* const object_;
  PortableServer::Servant& servant_;
  const ByteView key_;
  Upcall* const outer_;
  PoaExtension::Saved saved_;
  static inline thread_local constinit Upcall* innermost_ = nullptr;
};

}  // namespace takt::adapter
