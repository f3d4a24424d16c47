// Interface to the owner of the servants.
#pragma once

#include <takt/base/bytes.h>
#include <takt/server/server_call.h>

#include "reference/local_calls.h"
#include "server/pipeline/early_reply.h"

namespace takt::giop::lite {
struct OperationHandle;
}

namespace takt::server {

// Turns requests into upcalls. The contract of every dispatcher, in addition to that of LocalCalls:
//  1. Any thread may call any function at any time, up to the end of the ORB's shutdown.
//  2. All waiting is bounded: POA managers hold a request at most for their time limit.
class Dispatcher : public reference::LocalCalls {
 public:
  virtual reference::LocateAnswer locate(ByteView object_key) noexcept = 0;
  // Does what dispatch() does, for a request whose key and operation have a number on its connection. The
  // dispatcher may remember in the number's handle where they lead.
  virtual void dispatch_by_handle(ServerCall& call, giop::lite::OperationHandle&) noexcept { dispatch(call); }
  // Does what dispatch() does, and sends `early` before the upcall. If there is no upcall, the call is
  // answered with the reason. A dispatcher that cannot tell beforehand whether there will be one sends it at
  // once.
  virtual void dispatch_early(ServerCall& call, EarlyReply& early) noexcept {
    if (early.send(call)) dispatch(call);
  }
};

}  // namespace takt::server
