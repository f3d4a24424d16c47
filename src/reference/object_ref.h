// An object reference: its IOR, and its current target.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "reference/references.h"
#include "reference/target.h"
#include "threads/locks/priority_mutex.h"

namespace takt::reference {

// Shared by all copies of a reference. Any thread. The IOR never changes. The target changes when a server
// forwards calls; each change begins a new generation of the ORB.
class ObjectRef : public std::enable_shared_from_this<ObjectRef> {
 public:
  // `overrides`: the reference's own policies; may be null.
  ObjectRef(std::shared_ptr<References> references, std::shared_ptr<const Target> target,
            std::shared_ptr<const Overrides> overrides = nullptr);

  const cdr::Ior& ior() const { return original_->ior; }
  // The target if no server has forwarded calls.
  const Target& original() const { return *original_; }
  const std::shared_ptr<References>& references() const { return references_; }
  // Unique in the process and never reused.
  std::uint64_t serial() const { return serial_; }
  std::uint32_t generation() const { return references_->generation(); }
  const std::shared_ptr<const Overrides>& overrides() const { return overrides_; }
  // A reference to the same object with these overrides.
  std::shared_ptr<ObjectRef> with(std::shared_ptr<const Overrides> overrides) const {
    return std::make_shared<ObjectRef>(references_, original_, std::move(overrides));
  }

  // The current target. Locks briefly.
  std::shared_ptr<const Target> target() const;
  // The same without a lock; null while calls are forwarded. Belongs to the generation that was read before.
  std::shared_ptr<const Target> first_target() const {
    return forwarded_.load(std::memory_order_acquire) ? nullptr : original_;
  }
  // The object key, if the object is in this ORB and calls are not forwarded; else empty.
  const ByteView& local_key() const { return local_key_; }

  // Whether calls may have interceptors (ReferenceOptions::intercepted).
  bool intercepted() const { return intercepted_; }

  // LOCATION_FORWARD: sends later calls to `target`.
  void redirect(std::shared_ptr<const Target> target);
  // The same for a reference that a server or an interceptor has given.
  void redirect_to(cdr::Ior target);
  // Returns to the IOR because `failed`, the target of a forward, has failed. False if `failed` is that of
  // the IOR. No effect if calls go to another target already, as when another thread has found the same.
  bool restore(const Target& failed);

 private:
  const std::shared_ptr<References> references_;
  const std::shared_ptr<const Target> original_;
  const std::shared_ptr<const Overrides> overrides_;
  const ByteView local_key_;  // the object key in original_, or empty
  const std::uint64_t serial_;
  const bool intercepted_;
  std::atomic<bool> forwarded_{false};  // present_ differs from original_
  mutable os::PriorityMutex mutex_;
  std::shared_ptr<const Target> present_;
};

// The reference of `object`. Throws NO_IMPLEMENT if it is a local object.
ObjectRef& reference_of(const CORBA::Object& object);

}  // namespace takt::reference
