// For mappings whose exceptions are of other types than the runtime's.
#pragma once

namespace takt::reference {

// While one lives, interceptors follow a call within the process that the calling thread makes. Its servant
// throws no exceptions but the runtime's then, so that the interceptors see them.
class WatchedCall {
 public:
  WatchedCall() noexcept;
  ~WatchedCall();
  WatchedCall(const WatchedCall&) = delete;
  WatchedCall& operator=(const WatchedCall&) = delete;
  // Whether one lives in the calling thread.
  static bool any() noexcept;
};

}  // namespace takt::reference
