// The server room's interface to the owner of the servants.
#pragma once

#include <takt/base/bytes.h>
#include <takt/server/server_call.h>

#include "reference/local_calls.h"

namespace takt::server {

// Requests in, upcalls out. The contract of every dispatcher, beside that of LocalCalls:
//  1. Any thread may call any function at any time, up to the end of the ORB's shutdown.
//  2. Nothing here waits without bound; holding POA managers wait as long as their limit says.
class Dispatcher : public reference::LocalCalls {
 public:
  virtual reference::LocateAnswer locate(ByteView object_key) noexcept = 0;
};

}  // namespace takt::server
