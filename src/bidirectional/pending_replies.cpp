#include "bidirectional/pending_replies.h"

#include <algorithm>
#include <utility>

namespace takt::bidirectional {

using Status = client::Exchange::Status;

std::optional<client::Exchange> PendingReplies::enlist(std::uint32_t request_id, client::Waiter& waiter) {
  waiter.urgency = os::remembered_urgency();
  std::lock_guard lock(mutex_);
  client::Exchange no;
  no.phase = "send";
  if (over_) {
    no.status = Status::retry;
    no.reason = "the connection ended before";
    return no;
  }
  if (waiting_.size() >= most_) return client::refused(client::too_many_outstanding);
  waiter.answered.store(false, std::memory_order_relaxed);
  waiting_.add(request_id, waiter);
  lend_most_urgent();
  return std::nullopt;
}

// Call with the mutex, and after callers have been woken: the reader may not get to run on when it is lent
// less.
void PendingReplies::lend_most_urgent() {
  const os::Urgency most = waiting_.most_urgent();
  if (most != lent_) reader_.change(std::exchange(lent_, most), most);
}

client::Exchange PendingReplies::wait(std::uint32_t request_id, client::Waiter& waiter,
                                      Clock::time_point deadline) {
  constexpr std::chrono::nanoseconds longest = std::chrono::hours(1);
  while (!waiter.answered && Clock::now() < deadline)
    waiter.wake.acquire_within(std::clamp<std::chrono::nanoseconds>(deadline - Clock::now(), {}, longest));
  std::lock_guard lock(mutex_);
  if (waiting_.take(request_id)) lend_most_urgent();
  if (waiter.answered) return waiter.exchange;
  client::Exchange late;
  late.status = Status::timeout;
  late.sent_in_part = true;
  late.phase = "wait for the reply";
  return late;
}

// Not charged to the connection's budget (null), because callers may outlive the connection.
void PendingReplies::deliver(const giop::Event& reply) {
  std::lock_guard lock(mutex_);
  client::Waiter* const waiter = waiting_.take(reply.request_id);
  if (!waiter) return;
  waiter->answer(reply, nullptr);
  lend_most_urgent();
}

void PendingReplies::end(const client::Exchange& how) {
  std::lock_guard lock(mutex_);
  if (over_) return;
  over_ = true;
  waiting_.end_all(how);
  lend_most_urgent();
}

bool PendingReplies::empty() const {
  std::lock_guard lock(mutex_);
  return waiting_.size() == 0;
}

}  // namespace takt::bidirectional
