// The upcalls that a thread is in.
#pragma once

#include <takt/base/bytes.h>

#include "adapter/active_object.h"
#include "adapter/extension.h"
#include "adapter/poa_core.h"

namespace takt::adapter {

// On the stack of the thread that runs the servant, innermost first. Three words, since each request writes
// them: what an active object knows by itself is not said twice.
class Upcall {
 public:
  // `key`, the object of ByteView itself, outlives the upcall.
  Upcall(ActiveObject& object, const ByteView& key) : Upcall(&object, key) {}
  ~Upcall() { innermost_ = outer_; }
  Upcall(const Upcall&) = delete;
  Upcall& operator=(const Upcall&) = delete;

  static Upcall* innermost() { return innermost_; }
  Upcall* outer() const { return outer_; }
  // Null where the servant is not in the active object map.
  ActiveObject* object() const { return object_; }
  PoaCore& poa() const;
  PortableServer::Servant& servant() const;
  ByteView key() const { return key_; }
  // RT-CORBA's; -1: the object has none of its own.
  std::int16_t object_priority() const { return object_ ? object_->priority : std::int16_t{-1}; }

 protected:
  Upcall(ActiveObject* object, const ByteView& key) : object_(object), key_(key), outer_(innermost_) {
    innermost_ = this;
  }

 private:
  ActiveObject* const object_;
  const ByteView& key_;
  Upcall* const outer_;
  static inline thread_local constinit Upcall* innermost_ = nullptr;
};

// On a servant that need not be in the active object map.
class AnyUpcall final : public Upcall {
 public:
  AnyUpcall(PoaCore& poa, ActiveObject* object, PortableServer::Servant& servant, const ByteView& key)
      : Upcall(object, key), poa_(poa), servant_(servant) {}

 private:
  friend class Upcall;
  PoaCore& poa_;
  PortableServer::Servant& servant_;
};

inline PoaCore& Upcall::poa() const {
  return object_ ? *object_->poa : static_cast<const AnyUpcall*>(this)->poa_;
}
inline PortableServer::Servant& Upcall::servant() const {
  return object_ ? *object_->servant : static_cast<const AnyUpcall*>(this)->servant_;
}

// What the adapter's extension, if it has one, does around an upcall. `call`: null where collocated.
class ExtendedUpcall {
 public:
  ExtendedUpcall(const Upcall& upcall, connection::ServerCall* call)
      : extension_(upcall.poa().policies.extension.get()) {
    if (extension_) saved_ = extension_->enter(call, upcall.object_priority());
  }
  ~ExtendedUpcall() {
    if (extension_) extension_->leave(saved_);
  }
  ExtendedUpcall(const ExtendedUpcall&) = delete;
  ExtendedUpcall& operator=(const ExtendedUpcall&) = delete;

 private:
  PoaExtension* const extension_;
  PoaExtension::Saved saved_;
};

}  // namespace takt::adapter
