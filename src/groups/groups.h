// Memberships of this ORB's objects in groups.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <takt/base/bytes.h>

#include "client/client.h"
#include "giop/references/group.h"
#include "groups/group_channel.h"
#include "groups/group_reader.h"
#include "server/group_membership.h"
#include "threads/locks/priority_condition.h"
#include "threads/locks/priority_mutex.h"

namespace takt::server {
class Server;
}

namespace takt::groups {

// For each multicast address of a group, one thread reads requests and runs them, whatever server strategy
// the ORB has: they belong to no connection. Any thread. The threads keep the ORB alive until it is stopped.
class Groups final : public client::ConnectionOverride, public server::GroupMembership {
 public:
  // `client` and `server` belong to the owner of this object. Each thread runs `begin_thread` first; it may
  // be empty.
  Groups(client::Client& client, server::Server& server, transport::miop::GroupOptions options,
         std::function<void()> begin_thread = {});

  void associate(const giop::GroupProfile& to, ByteView object_key) override;
  bool disassociate(const giop::GroupProfile& from, ByteView object_key) override;
  std::vector<std::vector<std::uint8_t>> members(const giop::GroupProfile& of) const override;
  void stop(std::chrono::nanoseconds bound) override;

  std::optional<KeyedStrategy> connection_for(const reference::Route& route,
                                              const reference::Route::Address& address,
                                              const reference::ConnectionKey& usual, bool offers) override;
  bool may_apply_to_any() const override { return false; }

 private:
  // Shared with the threads, one of which may still be in an upcall after the ORB is gone.
  struct Running {
    os::PriorityMutex mutex;
    os::PriorityCondition changed;
    std::size_t threads = 0;
  };
  std::shared_ptr<GroupReader> start_reading(const giop::HostPort& at);

  client::Client& client_;
  server::Server& server_;
  const transport::miop::GroupOptions options_;
  const std::function<void()> begin_thread_;
  GroupConnectionStrategy mux_{options_};
  const std::shared_ptr<Running> running_ = std::make_shared<Running>();
  mutable os::PriorityMutex mutex_;
  bool stopped_ = false;
  std::map<std::pair<std::string, std::uint16_t>, std::shared_ptr<GroupReader>> readers_;
};

}  // namespace takt::groups
