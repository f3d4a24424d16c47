// Callers that wait for replies which another thread reads.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>

#include "client/channel/client_channel.h"
#include "client/strategy/waiting_calls.h"
#include "os/threads/priority_mutex.h"

namespace takt::bidirectional {

// Of one connection. Any thread.
class PendingReplies {
 public:
  using Clock = std::chrono::steady_clock;

  explicit PendingReplies(std::size_t most) : most_(most) {}

  // Before the request is sent; something: it must not be, and why. The waiter outlives its wait().
  std::optional<client::Exchange> enlist(std::uint32_t request_id, client::Waiter& waiter);
  // Until the reply is there, the connection is over, or the deadline has come. Once for each enlist().
  client::Exchange wait(std::uint32_t request_id, client::Waiter& waiter, Clock::time_point deadline);

  // The reader's: a reply, to whoever waits for it; one that is late is dropped.
  void deliver(const giop::Event& reply);
  // Nothing more will come, for all who wait and will; the first ending counts.
  void end(const client::Exchange& how);
  bool empty() const;

 private:
  const std::size_t most_;
  mutable os::PriorityMutex mutex_;
  client::WaitingCalls waiting_;
  bool over_ = false;
};

}  // namespace takt::bidirectional
