// The context in which threads of the ORB that make calls for others run servants of the process.
#pragma once

#include <optional>

#include "client/client.h"
#include "reference/context/thread_context.h"

namespace takt::async {

inline constexpr giop::Priority no_priority = -1;  // for client::Client::run_at

// For a servant that runs in a thread of the ORB which has no RT-CORBA priority of its own, but calls that
// carry one. Afterwards both are as before.
class ServantContext {
 public:
  ServantContext(const client::Client& client, std::optional<giop::Priority> carried)
      : client_(client), carried_(carried) {
    set();
  }
  ~ServantContext() { set(); }
  ServantContext(const ServantContext&) = delete;
  ServantContext& operator=(const ServantContext&) = delete;

 private:
  void set() const {
    if (client_.run_at) client_.run_at(no_priority);
    reference::ThreadContext::mine().use_priority(carried_);
  }

  const client::Client& client_;
  const std::optional<giop::Priority> carried_;
};

}  // namespace takt::async
