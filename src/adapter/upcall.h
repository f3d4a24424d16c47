// The upcalls that a thread is in.
#pragma once

#include <takt/base/bytes.h>

#include "adapter/active_object.h"

namespace takt::adapter {

class PoaCore;

// On the stack of the thread that runs the servant, innermost first.
class Upcall {
 public:
  // `key` outlives the upcall; `object` is null where the servant is not in the active object map.
  Upcall(PoaCore& poa, ActiveObject* object, PortableServer::Servant& servant, ByteView key)
      : poa_(poa), object_(object), servant_(servant), key_(key), outer_(innermost_) {
    innermost_ = this;
  }
  ~Upcall() { innermost_ = outer_; }
  Upcall(const Upcall&) = delete;
  Upcall& operator=(const Upcall&) = delete;

  static Upcall* innermost() { return innermost_; }
  Upcall* outer() const { return outer_; }
  PoaCore& poa() const { return poa_; }
  ActiveObject* object() const { return object_; }
  PortableServer::Servant& servant() const { return servant_; }
  ByteView key() const { return key_; }

 private:
  PoaCore& poa_;
  ActiveObject* const object_;
  PortableServer::Servant& servant_;
  const ByteView key_;
  Upcall* const outer_;
  static inline thread_local constinit Upcall* innermost_ = nullptr;
};

}  // namespace takt::adapter
