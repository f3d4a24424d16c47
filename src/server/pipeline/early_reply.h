// The reply to a oneway whose caller waits until the server has found the servant, and not for the upcall.
#pragma once

namespace takt::server {

class ServerCall;

// SYNC_WITH_SERVER (CORBA 3.0.3, 22.2.2.2). One thread, while its request is dispatched.
class EarlyReply {
 public:
  // Call once, after servant managers and before the upcall. Sends an empty reply, after which `call` expects
  // no answer. False: it cannot be sent, and the upcall must not run.
  virtual bool send(ServerCall& call) noexcept = 0;

 protected:
  ~EarlyReply() = default;
};

}  // namespace takt::server
