// The context in which threads of the ORB run handlers.
#pragma once

#include <optional>

#include "async/deferred/servant_context.h"
#include "reference/context/thread_context.h"

namespace takt::async {

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

}  // namespace takt::async
