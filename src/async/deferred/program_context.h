// The context in which threads of the ORB run handlers and servants.
#pragma once

#include <optional>

#include "client/client.h"
#include "reference/context/thread_context.h"

namespace takt::async {

inline constexpr giop::Priority no_priority = -1;  // for client::Client::run_at

// Runs the calling thread at that RT-CORBA priority, which may differ from its present one because a handler
// has set that. None: as the thread ran before it got its first one.
inline void run_at(const client::Client& client, std::optional<giop::Priority> priority) {
  if (reference::ThreadContext::mine().priority() == priority || !client.run_at) [[likely]]
    return;
  client.run_at(priority.value_or(no_priority));
}

// Call after code of the program: the next must not find its slots of PICurrent and its policies of
// PolicyCurrent.
inline void forget_slots_and_policies() noexcept {
  reference::ThreadContext& mine = reference::ThreadContext::mine();
  mine.clear_slots();
  if (mine.has_overrides()) [[unlikely]]
    mine.use_overrides(nullptr);
}

// For code of the program that runs in a thread of the ORB which has no RT-CORBA priority of its own, but
// whose calls may carry one. Afterwards both are as before.
class ProgramContext {
 public:
  ProgramContext(const client::Client& client, std::optional<giop::Priority> carried)
      : client_(client), carried_(carried) {
    set();
  }
  ~ProgramContext() { set(); }
  ProgramContext(const ProgramContext&) = delete;
  ProgramContext& operator=(const ProgramContext&) = delete;

 private:
  void set() const {
    if (client_.run_at) client_.run_at(no_priority);
    reference::ThreadContext::mine().use_priority(carried_);
  }

  const client::Client& client_;
  const std::optional<giop::Priority> carried_;
};

}  // namespace takt::async
