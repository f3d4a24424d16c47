// An object reference: the IOR, and where it leads at present.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "os/threads/priority_mutex.h"
#include "reference/references.h"
#include "reference/target.h"

namespace takt::reference {

// Shared by all copies of a reference; any thread. The IOR that it was made of never changes; where calls
// go does, when a server forwards them, and each such change begins a generation of the ORB's.
class ObjectRef : public std::enable_shared_from_this<ObjectRef> {
 public:
  // `overrides`: the reference's own policies; may be null.
  ObjectRef(std::shared_ptr<References> references, std::shared_ptr<const Target> target,
            std::shared_ptr<const Overrides> overrides = nullptr);

  const cdr::Ior& ior() const { return original_->ior; }
  // Where it leads if no server has forwarded calls.
  const Target& original() const { return *original_; }
  const std::shared_ptr<References>& references() const { return references_; }
  // Unique in the process and never used again.
  std::uint64_t serial() const { return serial_; }
  std::uint32_t generation() const { return references_->generation(); }
  const std::shared_ptr<const Overrides>& overrides() const { return overrides_; }
  // A reference to the same object, with these.
  std::shared_ptr<ObjectRef> with(std::shared_ptr<const Overrides> overrides) const {
    return std::make_shared<ObjectRef>(references_, original_, std::move(overrides));
  }

  // Where calls go. Locks, briefly.
  std::shared_ptr<const Target> target() const;
  // The same without a lock; null while calls go elsewhere than the IOR says. Of the generation that was read
  // before.
  std::shared_ptr<const Target> first_target() const {
    return forwarded_.load(std::memory_order_acquire) ? nullptr : original_;
  }
  // The object's key where it is one of ours and was not forwarded away; else empty.
  const ByteView& local_key() const { return local_key_; }

  // LOCATION_FORWARD: calls go there from now on.
  void redirect(std::shared_ptr<const Target> target);
  // Back to the IOR, since the forwarded place failed. False if calls go there already.
  bool restore();

 private:
  const std::shared_ptr<References> references_;
  const std::shared_ptr<const Target> original_;
  const std::shared_ptr<const Overrides> overrides_;
  const ByteView local_key_;  // of original_
  const std::uint64_t serial_;
  std::atomic<bool> forwarded_{false};  // present_ is another
  mutable os::PriorityMutex mutex_;
  std::shared_ptr<const Target> present_;
};

// What `object` refers with. Throws NO_IMPLEMENT where it is local and has no reference.
ObjectRef& reference_of(const CORBA::Object& object);

}  // namespace takt::reference
