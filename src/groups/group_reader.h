// Requests that come by multicast, for objects of ours.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/base/gather_buffer.h>

#include "giop/references/group.h"
#include "os/threads/priority_mutex.h"
#include "transport/miop/group_receiver.h"

namespace takt::server {
class Server;
}

namespace takt::groups {

struct GroupMember {
  giop::Group group;
  std::vector<std::uint8_t> object_key;

  bool is(const giop::Group& of, ByteView key) const;
};

// What is sent to one address and port: a request for each member of the group that it names, one after the
// other. What is no oneway request to a group is passed over. run() is one thread's; the rest any thread's.
class GroupReader {
 public:
  explicit GroupReader(std::unique_ptr<transport::miop::GroupReceiver> receiver)
      : receiver_(std::move(receiver)), members_(std::make_shared<const Members>()) {}

  // Until close().
  void run(server::Server& server) noexcept;
  // An upcall in progress is the last one.
  void close() { receiver_->close(); }

  using Members = std::vector<GroupMember>;
  // As a copy.
  std::shared_ptr<const Members> members() const;
  // For the requests that come from now on.
  void set_members(Members members);

 private:
  bool serve_next(server::Server& server) noexcept;
  void serve(server::Server& server, ByteView message);

  const std::unique_ptr<transport::miop::GroupReceiver> receiver_;
  GatherBuffer reply_{64};  // nobody's
  mutable os::PriorityMutex mutex_;
  std::shared_ptr<const Members> members_;
};

}  // namespace takt::groups
