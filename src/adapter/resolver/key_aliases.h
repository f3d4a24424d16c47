// Well-known keys: plain names that clients use in corbaloc URLs.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include <takt/base/bytes.h>
#include <takt/reference/object.h>

#include "threads/locks/priority_mutex.h"

namespace takt::adapter {

// Any thread; not on the path of ordinary requests.
class KeyAliases {
 public:
  [[gnu::cold]] void set(std::string key, CORBA::object_reference<CORBA::Object> target);
  // False, without any effect, if the key is registered.
  bool add(const std::string& key, CORBA::object_reference<CORBA::Object> target);
  bool remove(const std::string& key);
  // Asked for keys that are not registered; its result may be nil. Called without a lock, in the thread of
  // the request.
  using Finder = std::function<CORBA::object_reference<CORBA::Object>(ByteView key)>;
  void set_finder(Finder finder);
  [[gnu::cold]] void drop_finder();
  // Nil if the key is not registered. Does not ask the finder.
  CORBA::object_reference<CORBA::Object> registered(ByteView key) const;
  // Nil if the key is not registered and the finder does not know it. Throws what the finder throws.
  CORBA::object_reference<CORBA::Object> find(ByteView key) const;

 private:
  mutable os::PriorityMutex mutex_;
  std::map<std::string, CORBA::object_reference<CORBA::Object>, std::less<>> targets_;
  std::shared_ptr<const Finder> finder_;  // null: none
};

}  // namespace takt::adapter
