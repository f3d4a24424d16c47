// Interface to the owner of the servants.
#pragma once

#include <takt/base/bytes.h>
#include <takt/server/server_call.h>

#include "reference/local_calls.h"

namespace takt::server {

// Turns requests into upcalls. The contract of every dispatcher, in addition to that of LocalCalls:
//  1. Any thread may call any function at any time, up to the end of the ORB's shutdown.
//  2. All waiting is bounded: POA managers hold a request at most for their time limit.
class Dispatcher : public reference::LocalCalls {
 public:
  virtual reference::LocateAnswer locate(ByteView object_key) noexcept = 0;
};

}  // namespace takt::server
