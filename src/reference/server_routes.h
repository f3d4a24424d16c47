// A cache of the servers to which references lead.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "reference/server_route.h"
#include "threads/locks/priority_mutex.h"

namespace takt::reference {

// References with equal descriptions of a server share one route, which exists as long as any of them. A
// description longer than `longest_bytes` is not shared. Any thread; transports and options, on which
// descriptions depend, must not change.
class ServerRoutes {
 public:
  static constexpr std::size_t longest_bytes = 16 * 1024;

  // Returns make_server_route(), or its earlier result for an equal description. Locks briefly; allocates.
  std::shared_ptr<const ServerRoute> to(References& references, const KnownProfile& known, bool paths,
                                        const Agreement* agreed);
  // Number of remembered routes, expired ones included.
  std::size_t size() const;

 private:
  void forget_unused();

  mutable os::PriorityMutex mutex_;
  // Keyed by everything that the route depends on.
  std::unordered_map<std::string, std::weak_ptr<const ServerRoute>> known_;
  std::size_t forget_at_ = 64;
};

}  // namespace takt::reference
