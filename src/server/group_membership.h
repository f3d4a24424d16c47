// Interface for adapters to the readers of multicast groups.
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
  // From now on, requests to the group go once to the object with that key. Joins the group's address for its
  // first member. Throws TRANSIENT if that fails, NO_RESOURCES if no thread can be started, and BAD_INV_ORDER
  // (OMG minor 4) after the ORB's shutdown.
  virtual void associate(const giop::GroupProfile& to, ByteView object_key) = 0;
  // Ends the membership for requests that arrive later. False if the object was not a member. Leaves the
  // address after its last member. Does not wait.
  virtual bool disassociate(const giop::GroupProfile& from, ByteView object_key) = 0;
  // Stops all reading, and accepts no further members. Waits for requests in progress, for at most `bound`.
  // Must not be called in an upcall.
  virtual void stop(std::chrono::nanoseconds bound) = 0;
  // The object keys of our members of the group, in the order in which they were added.
  virtual std::vector<std::vector<std::uint8_t>> members(const giop::GroupProfile& of) const = 0;
};

}  // namespace takt::server
