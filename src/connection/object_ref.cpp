#include "connection/object_ref.h"

namespace takt::connection {

namespace {
std::atomic<std::uint64_t> next_serial{1};
}

ObjectRef::ObjectRef(std::shared_ptr<OrbCore> core, std::shared_ptr<const Target> target)
    : core_(std::move(core)),
      original_(std::move(target)),
      serial_(next_serial.fetch_add(1, std::memory_order_relaxed)),
      present_(original_) {}

std::shared_ptr<const Target> ObjectRef::target() const {
  std::lock_guard lock(mutex_);
  return present_;
}

void ObjectRef::redirect(std::shared_ptr<const Target> target) {
  std::lock_guard lock(mutex_);
  present_ = std::move(target);
  generation_.fetch_add(1, std::memory_order_release);
}

bool ObjectRef::restore() {
  std::lock_guard lock(mutex_);
  if (present_ == original_) return false;
  present_ = original_;
  generation_.fetch_add(1, std::memory_order_release);
  return true;
}

}  // namespace takt::connection
