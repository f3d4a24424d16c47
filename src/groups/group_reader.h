// Receives multicast requests for objects of this ORB.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/base/gather_buffer.h>

#include "giop/references/group.h"
#include "threads/locks/priority_mutex.h"
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

// Serves one multicast address and port. Dispatches each request to every member of the group that it names,
// one after the other. Ignores messages other than oneway requests to a group. run() belongs to one thread;
// the other functions may be called from any thread.
class GroupReader {
 public:
  explicit GroupReader(std::unique_ptr<transport::miop::GroupReceiver> receiver)
      : receiver_(std::move(receiver)), members_(std::make_shared<const Members>()) {}

  // Serves requests until close().
  void run(server::Server& server) noexcept;
  // The upcall in progress, if any, is the last one.
  void close() { receiver_->close(); }

  using Members = std::vector<GroupMember>;
  // A snapshot.
  std::shared_ptr<const Members> members() const;
  // Applies to requests that arrive later.
  void set_members(Members members);

 private:
  bool serve_next(server::Server& server) noexcept;
  void serve(server::Server& server, ByteView message);

  const std::unique_ptr<transport::miop::GroupReceiver> receiver_;
  GatherBuffer reply_{64};  // discarded: a multicast request gets no reply
  mutable os::PriorityMutex mutex_;
  std::shared_ptr<const Members> members_;
};

}  // namespace takt::groups
