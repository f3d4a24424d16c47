// The innermost scopes of the calls that a thread begins.
#pragma once

#include <takt/async/sent_scope.h>
#include <takt/async/stop_scope.h>

namespace takt::async {

// Null where there is none.
struct CallScopes {
  const StopScope* stop = nullptr;
  const SentScope* sent = nullptr;

  static CallScopes& mine() { return mine_; }
  static thread_local constinit CallScopes mine_;
};
inline thread_local constinit CallScopes CallScopes::mine_;

}  // namespace takt::async
