#include "reference/object_ref.h"

#include <atomic>

#include <takt/cdr/exception.h>
#include <takt/reference/object.h>

namespace takt::reference {

namespace {
std::atomic<std::uint64_t> next_serial{1};
}

ObjectRef::ObjectRef(std::shared_ptr<References> references, std::shared_ptr<const Target> target,
                     std::shared_ptr<const Overrides> overrides)
    : references_(std::move(references)),
      original_(std::move(target)),
      overrides_(std::move(overrides)),
      local_key_(original_->local_key),
      serial_(next_serial.fetch_add(1, std::memory_order_relaxed)),
      intercepted_(references_->options.intercepted ||
                   (!local_key_.empty() && references_->options.served_intercepted)),
      present_(original_) {}

std::shared_ptr<const Target> ObjectRef::target() const {
  std::lock_guard lock(mutex_);
  return present_;
}

void ObjectRef::redirect(std::shared_ptr<const Target> target) {
  std::lock_guard lock(mutex_);
  present_ = std::move(target);
  forwarded_.store(present_ != original_, std::memory_order_release);
  references_->begin_generation();
}

void ObjectRef::redirect_to(cdr::Ior target) {
  redirect(make_target(*references_, std::move(target), {}, original_->agreed.get()));
}

bool ObjectRef::restore(const Target& failed) {
  std::lock_guard lock(mutex_);
  if (present_.get() != &failed) return true;
  if (present_ == original_) return false;
  present_ = original_;
  forwarded_.store(false, std::memory_order_release);
  references_->begin_generation();
  return true;
}

ObjectRef& reference_of(const CORBA::Object& object) {
  if (!object._ref())
    throw CORBA::NO_IMPLEMENT(CORBA::omg_minor(8), CORBA::COMPLETED_NO,
                              "the operation is not available on a local object");
  return *object._ref();
}

}  // namespace takt::reference
