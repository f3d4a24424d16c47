// Callers that wait for replies which another thread reads.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>

#include "client/channel/client_channel.h"
#include "client/strategy/waiting_calls.h"
#include "threads/locks/priority_mutex.h"
#include "threads/scheduling/shared_loan.h"

namespace takt::bidirectional {

// The waiting callers of one connection. The most urgent lends its priority to the thread that reads. Any
// thread.
class PendingReplies {
 public:
  using Clock = std::chrono::steady_clock;

  // `reader`: what is lent to the reader. It must live until end() returns.
  PendingReplies(std::size_t most, os::SharedLoan& reader) : most_(most), reader_(reader) {}

  // Registers before the request is sent. If it returns an exchange, the request must not be sent, for that
  // reason. The waiter must live until wait() returns.
  std::optional<client::Exchange> enlist(std::uint32_t request_id, client::Waiter& waiter);
  // Waits until the reply arrives, the connection ends, or the deadline passes. Call once after each
  // enlist().
  client::Exchange wait(std::uint32_t request_id, client::Waiter& waiter, Clock::time_point deadline);

  // Called by the reader. Hands a reply to its waiter, or drops it if that no longer waits.
  void deliver(const giop::Event& reply);
  // Ends all present and future waits with `how`. Only the first call counts.
  void end(const client::Exchange& how);
  bool empty() const;

 private:
  void lend_most_urgent();

  const std::size_t most_;
  os::SharedLoan& reader_;
  mutable os::PriorityMutex mutex_;
  client::WaitingCalls waiting_;
  os::Urgency lent_ = 0;
  bool over_ = false;
};

}  // namespace takt::bidirectional
