// What adapters ask of whoever reads what is sent to groups.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include <takt/base/bytes.h>

#include "giop/references/group.h"

namespace takt::server {

// Any thread.
class GroupMembership {
 public:
  virtual ~GroupMembership() = default;
  // The object of that key gets what is sent to the group, from now on, once. Joins the group where it is the
  // first at that address. Throws TRANSIENT if that fails, NO_RESOURCES without a thread, BAD_INV_ORDER (OMG
  // minor 4) when the ORB has been shut down.
  virtual void associate(const giop::GroupProfile& to, ByteView object_key) = 0;
  // Requests that arrive later are not for it. False: it was no member. Leaves an address that nobody is a
  // member at, and does not wait.
  virtual bool disassociate(const giop::GroupProfile& from, ByteView object_key) = 0;
  // No further request, and no further member; waits for those in progress, at most so long. Not from inside
  // an upcall.
  virtual void stop(std::chrono::nanoseconds bound) = 0;
  // The keys of ours, in the order in which they came.
  virtual std::vector<std::vector<std::uint8_t>> members(const giop::GroupProfile& of) const = 0;
};

}  // namespace takt::server
