// A process that forwards calls on this ORB's persistent objects, such as an implementation repository.
#pragma once

#include <memory>
#include <string>

#include <takt/base/bytes.h>

namespace takt::reference {

class ObjectRef;
struct Route;

// Immutable; any thread. An ORB has at most one.
class Forwarder {
 public:
  virtual ~Forwarder() = default;
  // A reference to our object with that key, which leads to the forwarder. Allocates.
  virtual std::shared_ptr<ObjectRef> make_reference(std::string type_id, ByteView own_key) const = 0;
  // Our object's key in a route of such a reference, which has addresses and may come from another process;
  // empty if the route is of another kind. Valid as long as the route.
  virtual ByteView own_key_in(const Route& route) const = 0;
};

}  // namespace takt::reference
