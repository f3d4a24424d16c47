// Serves the admin object at endpoints of its own (-ORBAdmin).
#pragma once

#include <memory>

#include "concurrency/strategy/concurrency.h"
#include "config/admin_options.h"
#include "orb/runtime/runtime.h"

namespace takt::admin {

// Has a thread that accepts and one for each connection, of which there are few. The runtime must outlive it.
class Admin {
 public:
  // Counts calls from now on. Call before the ORB listens. Throws BAD_PARAM for the option's words,
  // INITIALIZE if an endpoint cannot be listened to or no thread can be started.
  explicit Admin(orb::Runtime& runtime);
  // Closes the connections.
  ~Admin();
  Admin(const Admin&) = delete;
  Admin& operator=(const Admin&) = delete;

 private:
  struct OwnServer;
  Admin(orb::Runtime& runtime, const orb::AdminOptions& options);

  const std::shared_ptr<OwnServer> own_;
  std::unique_ptr<server::ServerConcurrency> concurrency_;
};

}  // namespace takt::admin
