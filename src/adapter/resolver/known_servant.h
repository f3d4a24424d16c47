// The servant of a key, for stages in front of the object adapter.
#pragma once

#include <cstdint>
#include <string>

#include <takt/base/bytes.h>

#include "adapter/objects/active_object.h"
#include "adapter/poa/object_table.h"
#include "adapter/resolver/request_resolver.h"

namespace takt::adapter {

// The servant that a request with this key reaches, if that is known without running the program's code: the
// one of an active object, however the key leads to it, or the default servant of its adapter. Unknown for
// objects that a servant manager has yet to make, and for all objects of servant locators. The servant stays
// as long as this does. Locks only for a key that stands for another reference.
class KnownServant {
 public:
  // Throws std::bad_alloc.
  KnownServant(RequestResolver& resolver, const ByteView& key)
      : table_(resolver.tree.table), object_(resolver.enter(key)) {
    if (!object_) [[unlikely]]
      search(resolver, key);
  }
  ~KnownServant() {
    if (object_) table_.leave(*object_);
    if (default_) [[unlikely]]
      table_.leave(*default_);
  }
  KnownServant(const KnownServant&) = delete;
  KnownServant& operator=(const KnownServant&) = delete;

  explicit operator bool() const { return object_ || default_; }
  // These need a servant.
  PortableServer::Servant& operator*() const { return object_ ? *object_->servant : *default_->servant; }
  std::uint16_t& schedule_row() const { return object_ ? object_->schedule_row : default_->schedule_row; }
  // The servant's; empty if it is unknown.
  std::string repository_id() const { return *this ? (**this)._repository_id() : std::string(); }

 private:
  void search(RequestResolver& resolver, const ByteView& key);

  ObjectTable& table_;
  ActiveObject* object_;
  DefaultServant* default_ = nullptr;
};

}  // namespace takt::adapter
