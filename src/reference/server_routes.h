// The servers that references lead to.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "os/threads/priority_mutex.h"
#include "reference/server_route.h"

namespace takt::reference {

// Each is described once, however many of its objects there are references to, and no longer than there are;
// or once for each reference, if what they say of it is longer than of any server.
// Any thread; what a description is made of (transports, options) does not change.
class ServerRoutes {
 public:
  static constexpr std::size_t longest_bytes = 16 * 1024;

  // make_server_route(), or what it made when a reference said the same. Locks, briefly; allocates.
  std::shared_ptr<const ServerRoute> to(References& references, const KnownProfile& known, bool paths,
                                        const Agreement* agreed);
  // Those that are remembered, gone ones among them.
  std::size_t size() const;

 private:
  void forget_unused();

  mutable os::PriorityMutex mutex_;
  std::unordered_map<std::string, std::weak_ptr<const ServerRoute>> known_;  // by all that they depend on
  std::size_t forget_at_ = 64;
};

}  // namespace takt::reference
