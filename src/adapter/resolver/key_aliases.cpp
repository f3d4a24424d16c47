#include "adapter/resolver/key_aliases.h"

#include <mutex>
#include <utility>

#include "lookup/keys/object_key.h"

namespace takt::adapter {

void KeyAliases::set(std::string key, CORBA::object_reference<CORBA::Object> target) {
  std::unique_lock lock(mutex_);
  targets_[std::move(key)] = std::move(target);
}

bool KeyAliases::add(const std::string& key, CORBA::object_reference<CORBA::Object> target) {
  std::unique_lock lock(mutex_);
  return targets_.try_emplace(key, std::move(target)).second;
}

bool KeyAliases::remove(const std::string& key) {
  std::unique_lock lock(mutex_);
  return targets_.erase(key) != 0;
}

CORBA::object_reference<CORBA::Object> KeyAliases::find(ByteView key) const {
  std::shared_ptr<const Finder> finder;
  {
    std::lock_guard lock(mutex_);
    if (const auto found = targets_.find(text_of(key)); found != targets_.end()) return found->second;
    finder = finder_;
  }
  return finder ? (*finder)(key) : CORBA::object_reference<CORBA::Object>();
}

CORBA::object_reference<CORBA::Object> KeyAliases::registered(ByteView key) const {
  std::lock_guard lock(mutex_);
  const auto found = targets_.find(text_of(key));
  return found == targets_.end() ? CORBA::object_reference<CORBA::Object>() : found->second;
}

// The former finder is destroyed without the lock.
void KeyAliases::set_finder(Finder finder) {
  auto shared = std::make_shared<const Finder>(std::move(finder));
  std::lock_guard lock(mutex_);
  finder_.swap(shared);
}

void KeyAliases::drop_finder() {
  std::shared_ptr<const Finder> former;
  std::lock_guard lock(mutex_);
  finder_.swap(former);
}

}  // namespace takt::adapter
