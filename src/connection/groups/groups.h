// The groups that objects of ours belong to.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <takt/base/bytes.h>

#include "connection/groups/group_channel.h"
#include "connection/groups/group_reader.h"
#include "giop/references/group.h"
#include "os/threads/priority_condition.h"
#include "os/threads/priority_mutex.h"

namespace takt::connection {

class OrbCore;

// For each address that a group of ours has, a thread reads what is sent there, and runs the requests,
// whatever way to serve the ORB has: it belongs to no connection. Any thread. An ORB that is not stopped is
// kept by its threads.
class Groups {
 public:
  // `core` owns this. `begin_thread`: what each of the threads does first; may be empty.
  explicit Groups(OrbCore& core, std::function<void()> begin_thread = {});

  // The object of that key gets what is sent to the group, from now on, once. Joins the group where it is the
  // first at that address. Throws TRANSIENT if that fails, NO_RESOURCES without a thread, BAD_INV_ORDER (OMG
  // minor 4) after stop().
  void associate(const giop::GroupProfile& to, ByteView object_key);
  // Requests that arrive later are not for it. False: it was no member. Leaves an address that nobody is a
  // member at, and does not wait.
  bool disassociate(const giop::GroupProfile& from, ByteView object_key);
  // The keys of ours, in the order in which they came.
  std::vector<std::vector<std::uint8_t>> members(const giop::GroupProfile& of) const;
  // No further request, and no further member; waits for those in progress, at most so long. Not from inside
  // an upcall.
  void stop(std::chrono::nanoseconds bound);

  Mux& mux() { return mux_; }

 private:
  // Which the threads share, since one may still be in an upcall when the ORB is gone.
  struct Running {
    os::PriorityMutex mutex;
    os::PriorityCondition changed;
    std::size_t threads = 0;
  };
  std::shared_ptr<GroupReader> start_reading(const giop::Address& at);

  OrbCore& core_;
  const std::function<void()> begin_thread_;
  GroupMux mux_;
  const std::shared_ptr<Running> running_ = std::make_shared<Running>();
  mutable os::PriorityMutex mutex_;
  bool stopped_ = false;
  std::map<std::pair<std::string, std::uint16_t>, std::shared_ptr<GroupReader>> readers_;
};

}  // namespace takt::connection
